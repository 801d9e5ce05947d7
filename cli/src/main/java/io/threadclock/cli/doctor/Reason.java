// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The reason why a source is refused, or that it is sound, told by the clock's words for it, and what can be done. */
public enum Reason {
    SOUND("sound here", ""),
    NOT_TRIED("not tried", ""),
    NO_CLOCK("clock_gettime on the thread's CPU clock ", "Let the sandbox allow clock_gettime on CPU clocks."),
    NO_MEMORY(
            "no memory that is wiped on fork|no page for the rseq descriptor",
            "Use Linux 4.14 or newer, with address space left (ulimit -v)."),
    COUNTER_OFF("the time-stamp counter is disabled", "Do not call prctl(PR_SET_TSC)."),
    COUNTER_VARIES("the time-stamp counter is not invariant", ""),
    COUNTER_GIVEN_UP(
            "the kernel has given up the time-stamp counter",
            "Boot without notsc and tsc=unstable; what else made the kernel do it, dmesg says."),
    CLOCK_COARSE("the thread's CPU clock stood still", "Boot without notsc; in gVisor there is no finer clock."),
    COUNTER_STOPS("the time-stamp counter does not advance", ""),
    COUNTER_SLOW("the time-stamp counter takes", "Let the hypervisor not trap the time-stamp counter."),
    RSEQ_KERNEL("Linux \\S+ keeps rseq_cs", ""),
    IDS_KERNEL("Linux \\S+ (?:does not write the ids|has the source rseq)", ""),
    LIBC_AREA("libc has registered", "Start the program by: threadclock run --without-libc-rseq -- PROGRAM"),
    RSEQ_DEBUGGING("rseq debugging is on", "Boot without rseq_debug=1."),
    RSEQ_REFUSED("rseq (?:refused|is not called)", "Let the seccomp filter allow rseq."),
    PERF_REFUSED("perf_event_open ", ""),
    PERF_MEMORY("mmap of the perf page ", "sysctl kernel.perf_event_mlock_kb=65536, or raise ulimit -l."),
    SELF_TEST("self-test: ", "Please report the kernel's version."),
    NO_PROC("/proc/self/|/proc/thread-self/", "Mount /proc."),
    SAMPLE_RATE("kernel.perf_event_max_sample_rate=", "sysctl kernel.perf_event_max_sample_rate=100000"),
    NO_SAMPLES("its perf event takes no samples", "Do not call prctl(PR_TASK_PERF_EVENTS_DISABLE)."),
    NO_SCHED_INFO(
            "the kernel counts no run-queue delay",
            "Use a kernel with CONFIG_SCHED_INFO, which CONFIG_SCHEDSTATS selects; boot without nodelayacct."),
    DEMOTED("missed a context switch", "Please report the kernel's version."),
    /** The words of another version of the library. */
    OTHER("", "Use the library and the command of one version.");

    private static final Set<Reason> OF_THE_COUNTER =
            EnumSet.of(COUNTER_OFF, COUNTER_VARIES, COUNTER_GIVEN_UP, CLOCK_COARSE, COUNTER_STOPS, COUNTER_SLOW);

    private final Pattern words;
    private final String remedy;

    Reason(String words, String remedy) {
        this.words = Pattern.compile(words);
        this.remedy = remedy;
    }

    /** @param words of the clock; clock/refusal.h has all of them */
    static Reason of(String words) {
        return Arrays.stream(values())
                .filter(reason -> reason.words.matcher(words).lookingAt())
                .findFirst()
                .orElse(OTHER);
    }

    boolean isOfCounter() {
        return OF_THE_COUNTER.contains(this);
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
