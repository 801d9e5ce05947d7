// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The findings of the native library, which tries its sources; {@link NativeExamination} runs it.
 *
 * @param tickNs 1/HZ by the kernel
 * @param measuredTickNs the shortest time from tick to tick that was seen, of several ticks if this machine is busy; 0: none
 * @param measuringCpus the CPUs that measure user time and do not tick (nohz_full), in the kernel's form; or empty
 * @param callNs the cost of a system call that does nothing
 * @param counterNs the cost of reading the time-stamp counter
 * @param libcRseqBytes length of libc's rseq areas; 0: it registers none
 * @param kernelRseqBytes the part of an area that the kernel knows; 0: it does not tell
 * @param tellsPageTime whether a perf page tells the thread's time (cap_user_time)
 * @param waits whether run-queue delay is known, and stands still between switches
 * @param sources in the order of the library's numbers
 * @param chosen the name of the source that is used unless one is asked for
 */
public record Examination(
        String version,
        long tickNs,
        long measuredTickNs,
        String measuringCpus,
        double callNs,
        Reason counter,
        double counterNs,
        long counterKhz,
        String counterSays,
        int libcRseqBytes,
        int kernelRseqBytes,
        boolean tellsPageTime,
        Reason samples,
        String samplesSay,
        Reason waits,
        String waitsSay,
        List<SourceVerdict> sources,
        String chosen) {
    private static final double PS_PER_NS = 1000;

    /** The measured tick may differ by one such part: clocks are steered, and two ticks are far from one. */
    private static final long TICK_PARTS = 8;

    static Examination parse(String text) {
        Map<String, String[]> facts = new HashMap<>();
        List<SourceVerdict> sources = new ArrayList<>();
        text.lines().map(line -> line.split("\t", -1)).forEach(fields -> {
            facts.put(fields[0], fields);
            if (fields[0].equals("source")) {
                sources.add(new SourceVerdict(fields[1], Reason.of(fields[2]), ns(fields[3]), fields[4]));
            }
        });
        return new Examination(
                facts.get("version")[1],
                Long.parseLong(facts.get("tick")[1]),
                Long.parseLong(facts.get("tick")[2]),
                facts.get("nohz_full")[1],
                ns(facts.get("call")[1]),
                Reason.of(facts.get("counter")[1]),
                ns(facts.get("counter")[2]),
                Long.parseLong(facts.get("counter")[3]),
                facts.get("counter")[4],
                Integer.parseInt(facts.get("rseq")[1]),
                Integer.parseInt(facts.get("rseq")[2]),
                facts.get("perf")[1].equals("1"),
                Reason.of(facts.get("sampled")[1]),
                facts.get("sampled")[2],
                Reason.of(facts.get("waits")[1]),
                facts.get("waits")[2],
                List.copyOf(sources),
                facts.get("chosen")[1]);
    }

    /** Whether the measured tick is the kernel's; several at once look like a longer one. */
    boolean isTickMeasured() {
        return Math.abs(measuredTickNs - tickNs) <= tickNs / TICK_PARTS;
    }

    public SourceVerdict source(String name) {
        return sources.stream()
                .filter(verdict -> verdict.source().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static double ns(String ps) {
        return Long.parseLong(ps) / PS_PER_NS;
    }
}
