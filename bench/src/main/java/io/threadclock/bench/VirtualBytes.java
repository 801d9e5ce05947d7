// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.threadclock.bench.Promise.Sense;
import io.threadclock.harness.Jdk;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;

/** The heap that a great many virtual threads take, with clocks and without in turn, in one JVM. */
final class VirtualBytes {
    /** The first rounds grow the JDK's tables, and have the frames compiled that are parked. */
    private static final int WARMUPS = 2;

    private VirtualBytes() {}

    static Stream<Promise> promises(Jdk jdk, boolean isQuick) {
        // A million parked threads take up to 1.5 GB as long as their frames are not compiled.
        try (Child jvm = Child.start(jdk, VirtualBytes.class, List.of("-Xmx3g"))) {
            String[] added = jvm.ask(isQuick ? "100000" : "1000000").split(" ");
            String name = "JDK " + jdk.version() + ": bytes of heap that a clock adds to a virtual thread, ";
            return Stream.of(
                    new Promise(name + "parked", Double.parseDouble(added[0]), Sense.AT_MOST, 80),
                    // The smallest object would be 8 bytes; what a full collection leaves differs a little.
                    new Promise(name + "ended", Double.parseDouble(added[1]), Sense.AT_MOST, 7));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Child.serve(threads -> added(Integer.parseInt(threads)));
    }

    /** The bytes that a clock adds to a thread while all are parked, and after all have ended. */
    private static String added(int threads) throws InterruptedException {
        double[] parked = new double[3];
        double[] ended = new double[parked.length];
        for (int round = -WARMUPS; round < parked.length; round++) {
            long[] stock = bytes(threads, VirtualThread.factory(false));
            long[] measured = bytes(threads, VirtualThread.factory(true));
            parked[Math.max(0, round)] = measured[0] - stock[0];
            ended[Math.max(0, round)] = measured[1] - stock[1];
        }
        return Comparison.median(parked) + " " + Comparison.median(ended);
    }

    /** Without a fraction, which is other objects'. */
    private static long[] bytes(int count, ThreadFactory factory) throws InterruptedException {
        long emptyBytes = heapBytes();
        Semaphore parked = new Semaphore(0);
        Semaphore mayEnd = new Semaphore(0);
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            threads[i] = factory.newThread(() -> {
                parked.release();
                mayEnd.acquireUninterruptibly();
            });
            threads[i].start();
        }
        parked.acquire(count);
        long parkedBytes = heapBytes() - emptyBytes;
        mayEnd.release(count);
        for (int i = 0; i < count; i++) {
            threads[i].join();
            threads[i] = null;
        }
        long endedBytes = heapBytes() - emptyBytes;
        return new long[] {Math.round((double) parkedBytes / count), Math.round((double) endedBytes / count)};
    }

    /** The heap in use after a full collection. */
    private static long heapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
