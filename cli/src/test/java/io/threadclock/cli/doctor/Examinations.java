// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.CpuQuota;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Examinations of machines that are not at hand, in the clock's words. */
final class Examinations {
    static final String LIKE_THIS =
            """
            source rseq, split sampled:90us, window 4000 us
            split sampled: sound here, a sample each 89.6 us of CPU time
            rseq: sound here
            perf: sound here
            clock: sound here
            ticks: sound here
            proc: sound here
            ids: Linux 6.18 has the source rseq (up to 6.18)
            waits: sound here
            binding JNI: because of a property""";

    static final String RSEQ_REFUSED = "Linux 7.2 keeps rseq_cs across a switch inside a system call (since 6.19)";
    static final String PERF_REFUSED = "perf_event_open refused: EACCES (13), kernel.perf_event_paranoid=3";
    static final String IDS_REFUSED =
            "libc has registered the rseq areas; start the program with GLIBC_TUNABLES=glibc.pthread.rseq=0";

    private static final Map<String, Double> READ_NS =
            Map.of("rseq", 19.5, "perf", 19.6, "clock", 585.0, "ticks", 765.0, "proc", 8120.5);

    private Examinations() {}

    /** Replaces the clock's words for one source, or other subject. */
    static String text(String source, String words, String text) {
        return text.replaceAll("(?m)^" + source + ": .*", source + ": " + words);
    }

    /** One whose tick was measured as this. */
    static Examination of(String explanation, long stepNs) {
        Map<String, Double> readNs = new HashMap<>(READ_NS);
        readNs.keySet().removeIf(source -> !explanation.contains("\n" + source + ": sound here"));
        return Examination.of(
                explanation, readNs, Map.of("ticks", stepNs, "proc", 10_000_000L), 309, 4_000_000, "(null)\n");
    }

    static Examination of(String explanation) {
        return of(explanation, 3_999_999);
    }

    static MachineFacts machine(int paranoid) {
        return new MachineFacts("7.2.13", "x86_64", "A CPU", false, 2, OptionalLong.of(paranoid), 516);
    }

    static ProcessLimits ofUser(long lockableBytes) {
        return new ProcessLimits(1000, false, 0, lockableBytes, 2, CpuQuota.NONE);
    }

    static ProcessLimits ofRoot() {
        return new ProcessLimits(0, false, 0x1fffeffffffL, 0, 2, CpuQuota.NONE);
    }
}
