// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import io.threadclock.lab.demo.message.PhaseResult;
import io.threadclock.harness.Jdk;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** All that was measured on one JDK. */
final class JdkMeasurement {
    private final Jdk jdk;
    private final Map<Setting, Rounds> rounds = new LinkedHashMap<>();
    private List<String> agentLines = List.of();

    JdkMeasurement(Jdk jdk) {
        this.jdk = jdk;
    }

    Jdk jdk() {
        return jdk;
    }

    void add(Setting setting, PhaseResult phase) {
        rounds.computeIfAbsent(setting, absent -> new Rounds()).add(phase);
    }

    Rounds of(int workers, Contender contender, boolean attribution) {
        return rounds.get(new Setting(workers, contender, attribution));
    }

    /** The empty brackets of the phases without attribution, stock and threadclock together. */
    Histogram timerNs(int workers) {
        Histogram timerNs = PhaseResult.newHistogram();
        for (Contender contender : Contender.values()) {
            PhaseResult off = of(workers, contender, false).total();
            timerNs.add(off.userCallNs());
            timerNs.add(off.cpuCallNs());
        }
        return timerNs;
    }

    void agentLines(List<String> lines) {
        agentLines = List.copyOf(lines);
    }

    /** What the agent printed at the end of its JVM. */
    List<String> agentLines() {
        return agentLines;
    }
}
