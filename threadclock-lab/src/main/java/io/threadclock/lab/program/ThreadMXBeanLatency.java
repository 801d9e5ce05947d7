// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;

/**
 * Calls from many threads at once, each call between two {@code System.nanoTime()}, and answers each {@link Request}
 * with the histogram of the ns between the two. {@link Call#EMPTY} is no call at all: the timer alone.
 *
 * <p>Argument: the number of threads.
 */
public final class ThreadMXBeanLatency {
    private ThreadMXBeanLatency() {}

    public static void main(String[] arguments) throws IOException {
        int threads = Integer.parseInt(arguments[0]);
        Answer.toEachLine(line -> HistogramText.of(measure(threads, Request.parse(line))));
    }

    static Histogram measure(int count, Request request) {
        CountDownLatch allThere = new CountDownLatch(count);
        List<TimedCalls> calls = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TimedCalls ofThread = new TimedCalls(request, allThere);
            calls.add(ofThread);
            threads.add(new Thread(ofThread));
        }
        threads.forEach(Thread::start);
        threads.forEach(ThreadMXBeanLatency::join);
        Histogram all = TimedCalls.emptyHistogram();
        calls.forEach(ofThread -> all.add(ofThread.histogram()));
        return all;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("nobody interrupts the main thread", interrupted);
        }
    }
}
