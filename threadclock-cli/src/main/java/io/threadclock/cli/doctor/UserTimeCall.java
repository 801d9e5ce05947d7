// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.process.Bounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The behaviour of a JDK's {@code getCurrentThreadUserTime()}, as the probe has measured it.
 *
 * @param way how it is read, told by its behaviour, because versions do not tell
 * @param userCallNs its cost
 * @param cpuCallNs the cost of {@code getCurrentThreadCpuTime()}
 * @param readsPerCall read system calls; negative: unknown
 * @param stepNs the median step by which it moves
 * @param phases the phases of the tick at which bursts of pure user work began
 */
public record UserTimeCall(
        String jdk,
        String vm,
        Way way,
        long userCallNs,
        long cpuCallNs,
        double readsPerCall,
        long stepNs,
        List<Phase> phases) {
    /** How the time is read. */
    public enum Way {
        /** Opens, reads and parses a file of /proc for each call. */
        PROC("parses /proc"),
        /** A system call returns the kernel's raw count of ticks. */
        TICKS("raw ticks"),
        /** The time moves more often than ticks come, so it is this clock's own. */
        FINE("finer than a tick"),
        UNKNOWN("of a kind that is not known"),
        UNSUPPORTED("not told by this JVM");

        private final String words;

        Way(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** The bursts that began at one phase of the tick, and the time that was booked for them. */
    public record Phase(long offsetNs, int bursts, long userNs, long cpuNs) {
        double userShare() {
            return (double) userNs / cpuNs;
        }
    }

    private static final double SOME_READS = 0.5;
    /**
     * A clock may move this much more often than ticks come while it is watched, because there may be one more at
     * either end.
     */
    private static final int MOVES_MORE = 2;

    /**
     * Parses the probe's output. The target's JDK has run the probe, so the output may be anything.
     *
     * @param tickNs the kernel's tick
     * @throws IllegalArgumentException if the text is not a probe's output
     */
    public static UserTimeCall parse(String text, long tickNs) {
        try {
            return parsed(text, tickNs);
        } catch (NumberFormatException | IndexOutOfBoundsException another) {
            throw new IllegalArgumentException("a JVM of its JDK said something else than the probe says", another);
        }
    }

    private static UserTimeCall parsed(String text, long tickNs) {
        Map<String, String> facts = new HashMap<>();
        List<Phase> phases = new ArrayList<>();
        text.lines().map(line -> line.split(" ", 2)).forEach(line -> {
            facts.put(line[0], line.length == 2 ? line[1] : "");
            if (line[0].equals("phase") && phases.size() < Bounds.PROBE_PHASES) {
                phases.add(phase(line[1].split(" ")));
            }
        });
        long[] calls = numbers(facts, "calls", 2);
        long[] reads = numbers(facts, "reads", 2);
        long[] steps = numbers(facts, "steps", 3);
        double readsPerCall = reads[1] == 0 ? -1 : (double) reads[0] / reads[1];
        Way way = facts.containsKey("unsupported") ? Way.UNSUPPORTED : way(readsPerCall, steps, tickNs);
        return new UserTimeCall(
                facts.getOrDefault("jdk", "?"),
                facts.getOrDefault("vm", "?"),
                way,
                calls[0],
                calls[1],
                readsPerCall,
                steps[0],
                List.copyOf(phases));
    }

    /** The size of a step says nothing, because the kernel subtracts the part of a tick that a hypervisor took. */
    private static Way way(double readsPerCall, long[] steps, long tickNs) {
        if (readsPerCall >= SOME_READS) {
            return Way.PROC;
        }
        long moves = steps[1];
        if (moves == 0) {
            return Way.UNKNOWN;
        }
        return moves > steps[2] / tickNs + MOVES_MORE ? Way.FINE : Way.TICKS;
    }

    private static Phase phase(String[] figures) {
        return new Phase(
                Long.parseLong(figures[0]),
                Integer.parseInt(figures[1]),
                Long.parseLong(figures[2]),
                Long.parseLong(figures[3]));
    }

    private static long[] numbers(Map<String, String> facts, String name, int count) {
        String text = facts.get(name);
        return text == null
                ? new long[count]
                : Arrays.copyOf(
                        Arrays.stream(text.split(" "))
                                .limit(count)
                                .mapToLong(Long::parseLong)
                                .toArray(),
                        count);
    }

    /** The least share of user time that the bursts of any phase got; all of their work is user work. */
    OptionalDouble leastShare() {
        return shares().stream().mapToDouble(Double::doubleValue).min();
    }

    OptionalDouble greatestShare() {
        return shares().stream().mapToDouble(Double::doubleValue).max();
    }

    /** Uses the phases that were met in time at least half as often as the most frequent one. */
    private List<Double> shares() {
        int most = phases.stream()
                .map(Phase::bursts)
                .max(Comparator.naturalOrder())
                .orElse(0);
        return phases.stream()
                .filter(phase -> phase.bursts() > 0 && 2 * phase.bursts() >= most)
                .map(Phase::userShare)
                .toList();
    }
}
