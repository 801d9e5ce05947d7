// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import com.sun.management.ThreadMXBean;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.harness.Exchange;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks for the times of many threads in one call, and answers the mean ns of one call. Before each call one thread in
 * fifty runs a little, as in a program most of whose threads wait. Only the calls are timed. The threads stay, so
 * requests are for more and more of them.
 */
public final class TimesOfMany {
    /** One thread in this many has run since the last call. */
    public static final int ONE_RUNS_IN = 50;

    private final List<DozingThread> threads = new ArrayList<>();
    private int nextToWake;

    TimesOfMany() {}

    /** The ways to ask, with their names in results.json. */
    public enum Way {
        USER_TIME("user time"),
        CPU_TIME("CPU time"),
        /** {@link ThreadsSnapshot#snapshot()}, which has the JVM's own threads as well. */
        SNAPSHOT("snapshot");

        private final String title;

        Way(String title) {
            this.title = title;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    public record Request(Way way, int threads, long durationMs) {}

    public static void main(String[] arguments) throws IOException {
        Exchange.answerEach(Request.class, new TimesOfMany()::nsPerCall);
    }

    double nsPerCall(Request request) {
        long[] ids = ids(request.threads());
        return MeanTime.nsOf(request.durationMs(), () -> wakeSomeOf(ids.length), call(request.way(), ids));
    }

    private static Runnable call(Way way, long[] ids) {
        ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return switch (way) {
            case USER_TIME -> () -> check(bean.getThreadUserTime(ids));
            case CPU_TIME -> () -> check(bean.getThreadCpuTime(ids));
            case SNAPSHOT -> () -> check(ThreadsSnapshot.take(), ids.length);
        };
    }

    private static void check(long[] times) {
        for (long ns : times) {
            if (ns < 0) {
                throw new IllegalStateException("a thread that lives has no time");
            }
        }
    }

    private static void check(ThreadsSnapshot snapshot, int count) {
        int found = snapshot.threads().size();
        if (found < count) {
            throw new IllegalStateException("a snapshot of " + count + " threads has " + found);
        }
    }

    private long[] ids(int count) {
        while (threads.size() < count) {
            DozingThread thread = new DozingThread();
            thread.start();
            threads.add(thread);
        }
        return threads.subList(0, count).stream().mapToLong(Thread::getId).toArray();
    }

    /** Lets some of the first {@code count} run a little, at least one; returns when they have. */
    private void wakeSomeOf(int count) {
        int some = Math.max(1, count / ONE_RUNS_IN);
        CountDownLatch done = new CountDownLatch(some);
        for (int i = 0; i < some; i++) {
            nextToWake = (nextToWake + 1) % count;
            threads.get(nextToWake).wake(done);
        }
        Population.await(done);
    }

    /** A thread that is parked, except for a few µs now and then. */
    private static final class DozingThread extends Thread {
        private static final int SPINS = 200;

        private volatile CountDownLatch call;

        DozingThread() {
            super("dozing");
            setDaemon(true);
        }

        /** It runs a little, then counts {@code done} down and is parked again. */
        void wake(CountDownLatch done) {
            call = done;
            LockSupport.unpark(this);
        }

        @Override
        public void run() {
            while (true) {
                CountDownLatch done = call;
                if (done == null) {
                    LockSupport.park(this);
                } else {
                    call = null;
                    runALittle(done);
                }
            }
        }

        private static void runALittle(CountDownLatch done) {
            for (int i = 0; i < SPINS; i++) {
                Thread.onSpinWait();
            }
            done.countDown();
        }
    }
}
