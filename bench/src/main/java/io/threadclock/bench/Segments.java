// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.threadclock.bench.SegmentLoad.Place;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;

/** How far the clock of a virtual thread is from the kernel's clock of its carriers, in each segment and in all. */
final class Segments {
    /** Fewer than threads, so that each goes from one to the other, and seldom begins before it has left the last. */
    private static final int CARRIERS = 2;

    private static final long INTERRUPT_EACH_NS = 200_000;

    private static volatile Throwable unexpected;
    private static final int PIECES = 250;
    private static final int QUICK_PIECES = 25;
    /** For most pieces of a load, all of which block. */
    private static final String HEADINGS =
            """

            CPU time of a virtual thread's segments, by its own clock and its carrier's in the kernel
            JDK          after each piece of work   segments    mean  error p99 greatest  off middle   apart  conservation     ±
                                                                  µs         ns       µs          ns      ns             %     %
            """;

    private static final String NOTES =
            """
            Error: how far the thread's clock is beyond the kernel's, read before and after it at each end of a segment, less
            what the hypervisor took meanwhile. Off middle: from the middle of these readings; apart: from one to the other
            (medians). Conservation: all clocks and the carriers' time between segments, less the carriers' CPU time, ± what
            the readings leave open. Promised: an error of at most %.0f ns at p99, and conservation within %s %% beyond the ±.
            """
                    .formatted(SegmentTruth.MOST_ERROR_NS, SegmentTruth.MOST_UNCONSERVED_PERCENT);

    private Segments() {}

    /** Prints a table. Returns whether all that is promised held; what did not is told on standard error. */
    static boolean measure(List<Jdk> jdks, boolean quick) {
        List<String> broken = new ArrayList<>();
        System.out.print(HEADINGS);
        try (Progress progress = Progress.onStderr()) {
            for (Jdk jdk : jdks) {
                progress.stage(jdk + ": segments of virtual threads");
                measure(jdk, quick ? QUICK_PIECES : PIECES, progress, broken);
            }
        }
        System.out.print(NOTES);
        broken.forEach(each -> System.err.println("threadclock accuracy: " + each));
        return broken.isEmpty();
    }

    private static void measure(Jdk jdk, int pieces, Progress progress, List<String> broken) {
        List<String> options = List.of("--add-opens=java.base/java.lang=ALL-UNNAMED");
        try (Child child = Child.start(jdk, Segments.class, options)) {
            for (SegmentLoad load : SegmentLoad.values()) {
                child.ask(load.name() + " " + QUICK_PIECES); // warms up
            }
            for (SegmentLoad load : SegmentLoad.values()) {
                progress.step(load.title);
                String[] verdict = child.ask(load.name() + " " + pieces).split("\t");
                progress.clear();
                System.out.printf("%-11s  %-25s %s%n", jdk.version(), load.title, verdict[0]);
                for (int i = 1; i < verdict.length; i++) {
                    broken.add("JDK " + jdk.version() + ", " + load.title + ": " + verdict[i]);
                }
            }
        }
    }

    /** A request is the name of a load, and the pieces of work of each thread. */
    public static void main(String[] none) throws Exception {
        BareClocks.counter(); // loads them before anything is measured
        Executor carriers = new ForkJoinPool(CARRIERS, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
        List<Place> places = List.of(new Place(), new Place(), new Place(), new Place());
        Child.serve(request -> {
            String[] words = request.split(" ");
            return verdict(SegmentLoad.valueOf(words[0]), Integer.parseInt(words[1]), places, carriers);
        });
    }

    private static String verdict(SegmentLoad load, int pieces, List<Place> places, Executor carriers)
            throws Exception {
        SegmentTruth truth = new SegmentTruth();
        // A thread of this load ends with its first piece, so that more threads are needed.
        int ofAThread = load == SegmentLoad.THROW ? 1 : pieces;
        for (int turn = 0; turn < pieces / ofAThread; turn++) {
            List<SegmentReference> threads = new ArrayList<>();
            for (Place place : places) {
                threads.add(new SegmentReference(truth, carriers, () -> load.run(ofAThread, place)));
            }
            runToTheirEnd(load, threads);
        }
        return truth.verdict();
    }

    private static void runToTheirEnd(SegmentLoad load, List<SegmentReference> threads) throws InterruptedException {
        for (SegmentReference each : threads) {
            each.thread.setUncaughtExceptionHandler(
                    (thread, thrown) -> unexpected = thrown instanceof CancellationException ? unexpected : thrown);
            each.thread.start();
        }
        while (load == SegmentLoad.INTERRUPT && threads.stream().anyMatch(each -> each.thread.isAlive())) {
            threads.stream()
                    .map(each -> each.thread)
                    .filter(each -> each.getState() == Thread.State.TIMED_WAITING)
                    .forEach(Thread::interrupt);
            LockSupport.parkNanos(INTERRUPT_EACH_NS);
        }
        for (SegmentReference each : threads) {
            each.end();
        }
        if (unexpected != null) {
            throw new IllegalStateException(unexpected);
        }
    }
}
