// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;

/**
 * The reason why a source is refused, or that it is sound, by the native library's word for it ({@code
 * clock/refusal.h}), and what can be done about it.
 */
public enum Reason {
    SOUND(""),
    NOT_TRIED(""),
    NO_CLOCK("Let the sandbox allow clock_gettime on CPU clocks."),
    NO_MEMORY("Use Linux 4.14 or newer, with address space left (ulimit -v)."),
    COUNTER_OFF("Do not call prctl(PR_SET_TSC)."),
    COUNTER_VARIES(""),
    COUNTER_GIVEN_UP("Boot without notsc and tsc=unstable; what else made the kernel do it, dmesg says."),
    CLOCK_COARSE("Boot without notsc; in gVisor there is no finer clock."),
    COUNTER_STOPS(""),
    COUNTER_SLOW("Let the hypervisor not trap the time-stamp counter."),
    RSEQ_KERNEL(""),
    IDS_KERNEL(""),
    LIBC_AREA("Start the program by: threadclock run --without-libc-rseq -- PROGRAM"),
    RSEQ_DEBUGGING("Boot without rseq_debug=1."),
    RSEQ_REFUSED("Let the seccomp filter allow rseq."),
    PERF_REFUSED(""),
    PERF_MEMORY("sysctl kernel.perf_event_mlock_kb=65536, or raise ulimit -l."),
    SELF_TEST("Please report the kernel's version."),
    NO_PROC("Mount /proc."),
    SAMPLE_RATE("sysctl kernel.perf_event_max_sample_rate=100000"),
    NO_SAMPLES("Do not call prctl(PR_TASK_PERF_EVENTS_DISABLE)."),
    NO_SCHED_INFO("Use a kernel with CONFIG_SCHED_INFO, which CONFIG_SCHEDSTATS selects; boot without nodelayacct."),
    DEMOTED("Please report the kernel's version."),
    /** A word of another version of the library. */
    OTHER("Use the library and the command of one version.");

    private final String remedy;

    Reason(String remedy) {
        this.remedy = remedy;
    }

    static Reason of(String word) {
        return Arrays.stream(values())
                .filter(reason -> reason.toString().equals(word))
                .findFirst()
                .orElse(OTHER);
    }

    /** Empty if there is none, or it depends on more than the reason. */
    String remedy() {
        return remedy;
    }

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
