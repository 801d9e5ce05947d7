// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.threadclock.cli.attach.SourceNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What this machine offers to the clock of this process, as a {@link ClockTrial} has found it.
 *
 * @param tickNs 1/HZ by the kernel
 * @param measuringCpus the CPUs that measure user time and do not tick (nohz_full), in the kernel's form; or empty
 * @param callNs the cost of reading the thread's CPU clock by a system call, from Java; 0: not known
 * @param waits whether run-queue delay is known, and stands still between switches
 * @param sources in the order of the library's numbers
 * @param chosen the name of the source that is used unless one is asked for
 */
public record Examination(
        long tickNs,
        String measuringCpus,
        double callNs,
        Reason samples,
        String samplesSay,
        Reason waits,
        String waitsSay,
        List<SourceVerdict> sources,
        String chosen) {
    private static final Pattern CPUS = Pattern.compile("[0-9,-]*");

    /** The measured tick may differ by one such part: clocks are steered, and two ticks are far from one. */
    private static final long TICK_PARTS = 8;

    /**
     * Reads the clock's own words.
     *
     * @param explanation of the clock, after each source and the split {@code sampled} were tried
     * @param nohzFull the kernel's list of CPUs that tick only when they must
     */
    static Examination of(
            String explanation,
            Map<String, Double> readNs,
            Map<String, Long> stepNs,
            double callNs,
            long tickNs,
            String nohzFull) {
        String samples = said("split sampled", explanation);
        String waits = said("waits", explanation);
        return new Examination(
                tickNs,
                cpus(nohzFull.strip()),
                callNs,
                Reason.of(samples),
                samples,
                Reason.of(waits),
                waits,
                SourceNames.ALL.stream()
                        .skip(1)
                        .map(name -> verdict(name, said(name, explanation), readNs, stepNs))
                        .toList(),
                explanation.replaceFirst("(?s)source ([a-z]+),.*", "$1"));
    }

    private static SourceVerdict verdict(
            String name, String says, Map<String, Double> readNs, Map<String, Long> stepNs) {
        return new SourceVerdict(
                name, Reason.of(says), readNs.getOrDefault(name, 0.0), stepNs.getOrDefault(name, 0L), says);
    }

    private static String said(String subject, String explanation) {
        Matcher line = Pattern.compile("(?m)^" + subject + ": (.*)$").matcher(explanation);
        return line.find() ? line.group(1) : "not tried";
    }

    /** A text that is no list of CPUs, such as {@code (null)}, is that of a kernel without any. */
    private static String cpus(String text) {
        return CPUS.matcher(text).matches() ? text : "";
    }

    /** The step by which raw user time moves, which is a tick, or several if this machine is busy; 0: none was seen. */
    @JsonProperty
    long measuredTickNs() {
        return source(SourceNames.TICKS).stepNs();
    }

    /** Whether the measured tick is the kernel's; several at once look like a longer one. */
    boolean isTickMeasured() {
        return Math.abs(measuredTickNs() - tickNs) <= tickNs / TICK_PARTS;
    }

    /** Whether the time-stamp counter serves, and if not, why: all sources that need it are then refused for that. */
    @JsonProperty
    Reason counter() {
        return refusedCounter().map(SourceVerdict::reason).orElse(Reason.SOUND);
    }

    @JsonProperty
    String counterSays() {
        return refusedCounter().map(SourceVerdict::says).orElse("");
    }

    private Optional<SourceVerdict> refusedCounter() {
        return sources.stream().filter(source -> source.reason().isOfCounter()).findFirst();
    }

    public SourceVerdict source(String name) {
        return sources.stream()
                .filter(verdict -> verdict.source().equals(name))
                .findFirst()
                .orElseGet(() -> new SourceVerdict(name, Reason.NOT_TRIED, 0, 0, "not tried"));
    }
}
