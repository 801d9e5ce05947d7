// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.CpuStopwatch;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Reads what each unit of work has cost its thread, and adds it up. Only one thread may use it. */
abstract class Attribution {
    /** The time that an engine would charge. Nobody reads it here, but no compiler can know that. */
    private long userNs;

    private long cpuNs;

    abstract void start();

    abstract void stop();

    final void charge(long unitUserNs, long unitCpuNs) {
        userNs += unitUserNs;
        cpuNs += unitCpuNs;
    }

    /** The time by which an engine divides its CPUs, since any moment: the CPU time that was charged. */
    long usedNs() {
        return cpuNs;
    }

    static final class None extends Attribution {
        @Override
        void start() {}

        @Override
        void stop() {}

        /** Nothing better is known than the wall time. */
        @Override
        long usedNs() {
            return System.nanoTime();
        }
    }

    /** Attribution through the unmodified ThreadMXBean: the JDK's own or, while the agent is active, threadclock's. */
    static final class ByThreadMXBean extends Attribution {
        private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        private long startUserNs;
        private long startCpuNs;

        @Override
        void start() {
            startCpuNs = threads.getCurrentThreadCpuTime();
            startUserNs = threads.getCurrentThreadUserTime();
        }

        @Override
        void stop() {
            long unitCpuNs = threads.getCurrentThreadCpuTime() - startCpuNs;
            charge(threads.getCurrentThreadUserTime() - startUserNs, unitCpuNs);
        }
    }

    /** Attribution by the library. */
    static final class ByStopwatch extends Attribution {
        private final CpuStopwatch watch = new CpuStopwatch();

        @Override
        void start() {
            watch.start();
        }

        @Override
        void stop() {
            watch.stop();
            charge(watch.userTimeNs(), watch.cpuTimeNs());
        }
    }
}
