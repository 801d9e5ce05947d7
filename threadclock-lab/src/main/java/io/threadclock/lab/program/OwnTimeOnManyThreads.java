// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.harness.Exchange;
import io.threadclock.lab.program.OwnTime.Call;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Calls from many threads at once, each call between two {@code System.nanoTime()}, and answers with the histogram of
 * the ns between the two. {@link Call#EMPTY} is no call at all: the timer alone.
 */
public final class OwnTimeOnManyThreads {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int SIGNIFICANT_DIGITS = 3;

    /** Nobody reads it; a result that is not used need not be computed. */
    private static volatile long last;

    private OwnTimeOnManyThreads() {}

    public record Request(Call call, int threads, long durationMs) {}

    public static void main(String[] arguments) throws IOException {
        Exchange.answerEach(Request.class, request -> HistogramText.of(measure(request)));
    }

    static Histogram measure(Request request) {
        CountDownLatch allThere = new CountDownLatch(request.threads());
        List<Histogram> histograms = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < request.threads(); i++) {
            Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);
            histograms.add(histogram);
            threads.add(new Thread(() -> measure(request, allThere, histogram)));
        }
        threads.forEach(Thread::start);
        threads.forEach(LivesOfThreads::join);
        Histogram all = new Histogram(SIGNIFICANT_DIGITS);
        histograms.forEach(all::add);
        return all;
    }

    private static void measure(Request request, CountDownLatch allThere, Histogram histogram) {
        allThere.countDown();
        Population.await(allThere);
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(request.durationMs());
        Call call = request.call();
        long afterNs;
        long readNs;
        do {
            long beforeNs = System.nanoTime();
            readNs = read(call);
            afterNs = System.nanoTime();
            histogram.recordValue(Math.max(0, afterNs - beforeNs));
        } while (afterNs - endNs < 0);
        last = readNs;
    }

    /** The time of this choice is part of the timer's own time, too. */
    private static long read(Call call) {
        return switch (call) {
            case USER_TIME -> THREADS.getCurrentThreadUserTime();
            case CPU_TIME -> THREADS.getCurrentThreadCpuTime();
            default -> 0;
        };
    }
}
