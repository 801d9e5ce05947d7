// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.CpuQuota;
import java.util.OptionalLong;

/** Examinations of machines that are not at hand, in the native library's form. */
final class Examinations {
    static final String LIKE_THIS =
            """
            version\t1.2.3
            tick\t4000000\t3999999
            nohz_full\t
            call\t163000
            rseq\t20\t28
            counter\tsound\t9510\t2596147\tsound here
            perf\t0
            sampled\tsound\tsound here
            waits\tsound\tsound here
            source\trseq\tsound\t9550\tsound here
            source\tperf\tsound\t9560\tsound here
            source\tclock\tsound\t585000\tsound here
            source\tticks\tsound\t765000\tsound here
            source\tproc\tsound\t8120500\tsound here
            source\tids\tids-kernel\t0\tLinux 6.18 has the source rseq (up to 6.18)
            chosen\trseq
            """;

    static final String RSEQ_REFUSED =
            "rseq-kernel\t0\tLinux 7.2 keeps rseq_cs across a switch inside a system call (since 6.19)";
    static final String PERF_REFUSED =
            "perf-refused\t0\tperf_event_open refused: EACCES (13), kernel.perf_event_paranoid=3";
    static final String IDS_REFUSED = "libc-area\t0\tlibc has registered the rseq areas";

    private Examinations() {}

    /** Replaces the verdict of one source. */
    static String text(String source, String verdict, String text) {
        return text.replaceAll("source\t" + source + "\t.*", "source\t" + source + "\t" + verdict);
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
