// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.harness.Exchange;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Calls in a plain loop on one thread, and answers the mean ns of one call.
 *
 * <p>{@link #nothing} is to be compiled but not inlined ({@link #JVM_OPTIONS}).
 */
public final class OwnTime {
    /** The options of its JVM. */
    public static final String[] JVM_OPTIONS = {
        "-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,io.threadclock.lab.program.OwnTime::nothing"
    };

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int BATCH = 1000;

    /** Nobody reads it; a result that is not used need not be computed. */
    private static volatile long sum;

    private OwnTime() {}

    /** The calls, with their names in results.json. */
    public enum Call {
        /** A static Java method that is really called and does nothing. */
        EMPTY("empty"),
        /** {@code System.nanoTime()}. */
        NANO_TIME("nanoTime"),
        /** {@code ThreadMXBean.getCurrentThreadUserTime()}. */
        USER_TIME("user time"),
        /** {@code ThreadMXBean.getCurrentThreadCpuTime()}. */
        CPU_TIME("CPU time");

        private final String title;

        Call(String title) {
            this.title = title;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    public record Request(Call call, long durationMs) {}

    public static void main(String[] arguments) throws IOException {
        Exchange.answerEach(Request.class, OwnTime::nsPerCall);
    }

    /** Each call has a loop of its own, which is compiled for it alone. */
    static double nsPerCall(Request request) {
        Runnable batch =
                switch (request.call()) {
                    case EMPTY -> OwnTime::callNothing;
                    case NANO_TIME -> OwnTime::readNanoTime;
                    case USER_TIME -> OwnTime::readUserTime;
                    case CPU_TIME -> OwnTime::readCpuTime;
                };
        return MeanTime.ns(request.durationMs(), BATCH, batch);
    }

    private static void callNothing() {
        long total = 0;
        for (int i = 0; i < BATCH; i++) {
            total += nothing(i);
        }
        sum = total;
    }

    private static long nothing(int i) {
        return i;
    }

    private static void readNanoTime() {
        long total = 0;
        for (int i = 0; i < BATCH; i++) {
            total += System.nanoTime();
        }
        sum = total;
    }

    private static void readUserTime() {
        long total = 0;
        for (int i = 0; i < BATCH; i++) {
            total += THREADS.getCurrentThreadUserTime();
        }
        sum = total;
    }

    private static void readCpuTime() {
        long total = 0;
        for (int i = 0; i < BATCH; i++) {
            total += THREADS.getCurrentThreadCpuTime();
        }
        sum = total;
    }
}
