// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Results;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The cost of reads in C, which is the least that any clock has to do. */
record NativeReads(Results results) {
    static final String COUNTER = "bare counter";
    static final String RSEQ = "rseq: user + CPU time";
    static final String PERF = "perf: user + CPU time";
    static final String CLOCK = "clock: user + CPU time";

    static final String TIMES_AND_WAITS = "rseq: times and waits";
    static final String WAITS_AFTER_SWITCH = "rseq: waits, after a switch, fd kept";

    private static final String ASLEEP = "asleep: SCHED clock id";
    private static final String BUSY = "busy: SCHED clock id";

    List<Measurement> all() {
        return results.of(Benchmarks.NATIVE);
    }

    /** The read whose name begins so; empty where the kernel refused that source. */
    Optional<Measurement> find(String beginning) {
        return all().stream()
                .filter(read -> read.subject().contender().startsWith(beginning))
                .findFirst();
    }

    Measurement counter() {
        return find(COUNTER).orElseThrow();
    }

    /** Ns of a bare look at the counter: what no clock that reads it can be faster than. */
    Spread counterNs() {
        return counter().spread();
    }

    /** The least ns of a system call that reads the thread's CPU clock; no source that asks the kernel is faster. */
    double systemCallNs() {
        return Stream.of("CLOCK_THREAD_CPUTIME_ID", "SCHED clock id")
                .flatMap(read -> find(read).stream())
                .mapToDouble(read -> read.spread().least())
                .min()
                .orElse(0);
    }

    /** The least ns of a system call that reads the CPU clock of another thread that is asleep. */
    double threadAsleepNs() {
        return find(ASLEEP).orElseThrow().spread().least();
    }

    /** The same of one that runs meanwhile: the median, because the least is of a round in which it got no CPU. */
    double threadBusyNs() {
        return find(BUSY).orElseThrow().spread().median();
    }

    /** The source that is read: what stands before the colon of its name. */
    static String source(Measurement read) {
        return read.subject().contender().split(":", 2)[0];
    }
}
