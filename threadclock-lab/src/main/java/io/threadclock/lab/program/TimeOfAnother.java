// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.harness.Exchange;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Asks for the times of another thread by its id in a plain loop, and answers the mean ns of one call. */
public final class TimeOfAnother {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int BATCH = 100;

    /** Nobody reads it; a result that is not used need not be computed. */
    private static volatile long sum;

    private final Map<Neighbour, SpinningThread> neighbours = new EnumMap<>(Neighbour.class);

    TimeOfAnother() {
        for (Neighbour neighbour : Neighbour.values()) {
            neighbours.put(neighbour, new SpinningThread(neighbour));
        }
        neighbours.values().forEach(Thread::start);
    }

    /** The work of the other thread. */
    public enum Neighbour {
        ASLEEP("asleep"),
        BUSY("busy"),
        BUSY_READING("busy, reads itself");

        private final String title;

        Neighbour(String title) {
            this.title = title;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    public record Request(boolean isUserTime, Neighbour neighbour, long durationMs) {}

    public static void main(String[] arguments) throws IOException {
        Exchange.answerEach(Request.class, new TimeOfAnother()::nsPerCall);
    }

    double nsPerCall(Request request) {
        SpinningThread thread = neighbours.get(request.neighbour());
        long id = thread.getId();
        thread.spin();
        try {
            return MeanTime.ns(
                    request.durationMs(), BATCH, request.isUserTime() ? () -> readUserTime(id) : () -> readCpuTime(id));
        } finally {
            thread.rest();
        }
    }

    private static void readUserTime(long id) {
        long total = 0;
        for (int i = 0; i < BATCH; i++) {
            total += THREADS.getThreadUserTime(id);
        }
        sum = total;
    }

    private static void readCpuTime(long id) {
        long total = 0;
        for (int i = 0; i < BATCH; i++) {
            total += THREADS.getThreadCpuTime(id);
        }
        sum = total;
    }

    /** A thread that is busy while it is told to be, unless it is the one that sleeps; parked otherwise. */
    private static final class SpinningThread extends Thread {
        /** Some tens of µs of its own work, so that it does not mostly read clocks. */
        private static final int SPINS = 1000;

        private final Neighbour kind;
        private volatile boolean spinning;
        private volatile long spins;

        SpinningThread(Neighbour kind) {
            super("spinning");
            this.kind = kind;
            setDaemon(true);
        }

        /** Returns when the thread is busy. */
        void spin() {
            if (kind == Neighbour.ASLEEP) {
                return;
            }
            long before = spins;
            spinning = true;
            LockSupport.unpark(this);
            while (spins == before) {
                Thread.onSpinWait();
            }
        }

        void rest() {
            spinning = false;
        }

        @Override
        public void run() {
            while (true) {
                while (spinning) {
                    spinALittle();
                }
                LockSupport.park(this);
            }
        }

        private void spinALittle() {
            for (int i = 0; i < SPINS; i++) {
                Thread.onSpinWait();
            }
            spins += kind == Neighbour.BUSY_READING && THREADS.getCurrentThreadUserTime() < 0 ? 2 : 1;
        }
    }
}
