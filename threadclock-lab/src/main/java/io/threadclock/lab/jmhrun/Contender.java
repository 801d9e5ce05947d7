// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import io.threadclock.ClockBinding;
import io.threadclock.harness.Jdk;
import java.util.ArrayList;
import java.util.List;

/**
 * Who answers what one read costs.
 *
 * @param title as results.json names it
 * @param method of the benchmark OneRead
 */
record Contender(String title, String quantity, String method, Clock clock) {
    private static final String ONE_READ = "one read";
    private static final String USER_TIME = "user time";
    private static final String CPU_TIME = "CPU time";
    private static final String MX_BEAN_USER_TIME = "threadMXBeanUserTime";
    private static final String MX_BEAN_CPU_TIME = "threadMXBeanCpuTime";

    /** What measuring itself costs. */
    static final Contender EMPTY = new Contender("empty", ONE_READ, "empty", Clock.STOCK);

    static final Contender STOCK_USER_TIME =
            new Contender("stock user time", USER_TIME, MX_BEAN_USER_TIME, Clock.STOCK);
    static final Contender AGENT_USER_TIME =
            new Contender("threadclock user time", USER_TIME, MX_BEAN_USER_TIME, Clock.agent(""));

    /** All that there are on a JDK. */
    static List<Contender> on(Jdk jdk) {
        List<Contender> contenders = new ArrayList<>(List.of(
                EMPTY,
                new Contender("empty JNI call", ONE_READ, "emptyJniCall", Clock.STOCK),
                new Contender("rdtsc", ONE_READ, "rdtsc", Clock.STOCK),
                new Contender("rdtsc as user time", ONE_READ, "rdtscAsUserTime", Clock.STOCK),
                new Contender("System.nanoTime", ONE_READ, "systemNanoTime", Clock.STOCK),
                new Contender("PID-0 clock id", USER_TIME, "pid0ClockId", Clock.STOCK),
                new Contender("own-tid clock id", USER_TIME, "ownTidClockId", Clock.STOCK),
                STOCK_USER_TIME,
                new Contender("stock CPU time", CPU_TIME, MX_BEAN_CPU_TIME, Clock.STOCK),
                AGENT_USER_TIME,
                new Contender("threadclock CPU time", CPU_TIME, MX_BEAN_CPU_TIME, Clock.agent("")),
                source("perf"),
                source("rseq"),
                source("clock"),
                source("ticks"),
                source("proc")));
        Library.bindingsOn(jdk).forEach(binding -> contenders.add(libraryUserTime(binding)));
        Library.bindingsOn(jdk).forEach(binding -> contenders.add(libraryStopwatch(binding)));
        return contenders;
    }

    /** What a program can have on a JDK: the JDK's own, the agent's, the library's. */
    static List<Contender> choicesOn(Jdk jdk) {
        return List.of(STOCK_USER_TIME, AGENT_USER_TIME, libraryUserTime(Library.usualBindingOn(jdk)));
    }

    private static Contender libraryUserTime(ClockBinding binding) {
        return new Contender("library " + binding + " user time", USER_TIME, "libraryUserTime", Clock.library(binding));
    }

    static Contender libraryStopwatch(ClockBinding binding) {
        return new Contender(
                "library " + binding + " stopwatch", "start + stop", "libraryStopwatch", Clock.library(binding));
    }

    /** ThreadMXBean with the agent, by a source that is named. */
    private static Contender source(String source) {
        return new Contender("source=" + source, USER_TIME, MX_BEAN_USER_TIME, Clock.agent("source=" + source));
    }
}
