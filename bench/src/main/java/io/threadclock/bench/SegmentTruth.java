// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/** Judges what virtual clocks and the kernel say of the segments of all threads of one load, and of their carriers. */
final class SegmentTruth {
    static final double MOST_ERROR_NS = 500;
    static final double MOST_UNCONSERVED_PERCENT = 0.1;

    final Collection<Segment> segments = new ConcurrentLinkedQueue<>();
    final Map<Thread, Carrier> carriers = new ConcurrentHashMap<>();

    /**
     * CPU time of a segment, in ns, or of several that could not be told apart.
     *
     * @param clockNs by the thread's clock
     * @param insideNs by the kernel's clock, read after the segment's start and before its end
     * @param outsideNs the same, read before its start and after its end
     * @param stolenNs what the hypervisor took meanwhile, as far as it is known
     */
    record Segment(long count, long clockNs, long insideNs, long outsideNs, long stolenNs) {
        /** How far the clock is beyond the kernel's readings, if not because of stolen time: certainly an error. */
        long errorNs() {
            return Math.max(0, Math.max(insideNs - clockNs, clockNs - outsideNs) - stolenNs);
        }
    }

    /**
     * When all threads have ended: the load's row of the table, and the promises that are broken, separated by tabs.
     */
    String verdict() {
        long errorNs = at(99, each(Segment::errorNs));
        double greatestUs = at(100, each(Segment::errorNs)) / 1e3;
        long offMiddleNs = at(50, each(it -> Math.abs(it.clockNs - (it.insideNs + it.outsideNs) / 2)));
        long apartNs = at(50, each(it -> it.outsideNs - it.insideNs));
        double meanUs = each(it -> it.clockNs / it.count).average().orElseThrow() / 1e3;
        long carriersNs = carriers.values().stream().mapToLong(it -> it.allNs).sum();
        long restNs = carriers.values().stream().mapToLong(it -> it.restNs).sum();
        // Each end of a segment is taken to be in the middle between the kernel's readings.
        double openNs = each(it -> it.outsideNs - it.insideNs).sum() / 2.0;
        double excessNs = each(it -> it.clockNs).sum() + restNs + openNs - carriersNs;
        double excessPercent = 100 * excessNs / carriersNs;
        double openPercent = 100 * openNs / carriersNs;
        return text("%8d %,7.0f %,10d %,8.2f", segments.size(), meanUs, errorNs, greatestUs)
                + text(" %,11d %,7d %+13.3f %5.3f", offMiddleNs, apartNs, excessPercent, openPercent)
                + broken("error of a segment at p99: %,.0f ns; promised: at most %.0f", errorNs, MOST_ERROR_NS)
                + broken(
                        "%.3f %% unconserved; promised: %.1f",
                        Math.abs(excessPercent) - openPercent, MOST_UNCONSERVED_PERCENT);
    }

    private static String broken(String words, double measured, double promised) {
        return measured <= promised ? "" : text("\t" + words, measured, promised);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private LongStream each(ToLongFunction<Segment> figure) {
        return segments.stream().mapToLong(figure);
    }

    /** The least value that so many percent do not exceed. */
    private static long at(int percent, LongStream values) {
        long[] sorted = values.sorted().toArray();
        return sorted[(sorted.length * percent + 99) / 100 - 1];
    }

    /**
     * What a carrier uses from its first segment to its last by the kernel, and what the hypervisor takes from it.
     * While it is not switched out, its wall time and its CPU time differ by what was stolen. The looks tell the
     * difference from both sides: nothing counts as stolen unless the least difference says so, and then the greatest
     * one counts. Time that was stolen before a switch counts until the next one, because a reading that was ahead
     * stands still until the kernel has caught up. Nothing is known of time in which it was switched out.
     */
    static final class Carrier {
        /** After this time the clock has asked the kernel again, and stolen time no longer shows. */
        private static final long EPOCH_NS = 12_000_000;

        private long lastNs = -1;
        private long allNs;
        private long restNs;
        private BareClocks.Look since = new BareClocks.Look(0, 0, 0, -1);
        private long stolenBeforeNs;
        private long stolenNs;

        /** Takes its CPU clock around a segment. */
        void mounted(long beginNs, long endNs) {
            long betweenNs = lastNs < 0 ? 0 : beginNs - lastNs;
            restNs += betweenNs;
            allNs += betweenNs + endNs - beginNs;
            lastNs = endNs;
        }

        /** Looks before a segment begins. */
        void begin(BareClocks.Look look) {
            if (since.switches() != look.switches() || look.wallAfterNs() - since.wallBeforeNs() > EPOCH_NS) {
                since = look;
                stolenBeforeNs = stolenNs;
                stolenNs = 0;
            }
        }

        /** The time that misleads readings up to now, in ns; 0 if the thread was switched out since it began. */
        long stolenNs(BareClocks.Look look) {
            if (since.switches() != look.switches()) {
                return 0;
            }
            long cpuNs = look.cpuNs() - since.cpuNs();
            if (look.wallBeforeNs() - since.wallAfterNs() > cpuNs) {
                stolenNs = Math.max(stolenNs, look.wallAfterNs() - since.wallBeforeNs() - cpuNs);
            }
            return stolenBeforeNs + stolenNs;
        }
    }
}
