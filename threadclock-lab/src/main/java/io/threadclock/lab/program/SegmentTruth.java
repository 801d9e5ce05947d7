// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/** Compares the segments of all threads of one load, and everything that their carriers have used, with the kernel's clocks. */
public final class SegmentTruth {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final List<Segment> segments = new ArrayList<>();
    private final List<Carrier> carriers = new ArrayList<>();
    private final ThreadLocal<Carrier> carrier = ThreadLocal.withInitial(this::newCarrier);

    /**
     * CPU time of a segment, in ns, or of several that could not be told apart.
     *
     * @param accountNs by the account
     * @param insideNs by the kernel's clock, read after the account's start and before its end
     * @param outsideNs the same, read before its start and after its end
     * @param stolenNs what the hypervisor took meanwhile, as far as it is known: {@link StolenTime}
     */
    public record Segment(int count, long accountNs, long insideNs, long outsideNs, long stolenNs) {
        /** How far the account is beyond the kernel's readings, for which no stolen time is the reason: an error that is certain. */
        public long errorNs() {
            return Math.max(0, Math.max(insideNs - accountNs, accountNs - outsideNs) - stolenNs);
        }

        /** How far it is from their middle: an error, or their own distance. */
        public long fromMiddleNs() {
            return Math.abs(accountNs - (insideNs + outsideNs) / 2);
        }

        public long apartNs() {
            return Math.max(0, outsideNs - insideNs);
        }
    }

    /** The entry of the calling carrier. */
    Carrier carrier() {
        return carrier.get();
    }

    private synchronized Carrier newCarrier() {
        Carrier own = new Carrier(Thread.currentThread(), KernelClock.cpuNs());
        carriers.add(own);
        return own;
    }

    synchronized void compare(Segment segment) {
        segments.add(segment);
    }

    synchronized List<Segment> segments() {
        return List.copyOf(segments);
    }

    /** CPU time of the carriers since their first segment began, by the kernel. */
    synchronized long carriersNs() {
        return carriers.stream()
                .mapToLong(each -> THREADS.getThreadCpuTime(each.id) - each.firstNs)
                .sum();
    }

    /** The part of it that they have used between segments. */
    synchronized long restNs() {
        return carriers.stream().mapToLong(Carrier::restNs).sum();
    }

    /** A carrier's time between segments. */
    static final class Carrier {
        final StolenTime stolen = new StolenTime();
        private final long id;
        private final long firstNs;
        private long lastNs;
        private long restNs;

        @SuppressWarnings("deprecation") // the replacement came with JDK 19
        Carrier(Thread thread, long nowNs) {
            this.id = thread.getId();
            this.firstNs = nowNs;
            this.lastNs = nowNs;
        }

        synchronized void mounted(long beginNs, long endNs) {
            restNs += beginNs - lastNs;
            lastNs = endNs;
        }

        synchronized long restNs() {
            return restNs + THREADS.getThreadCpuTime(id) - lastNs;
        }
    }
}
