// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import io.threadclock.lab.demo.message.PhaseResult;
import java.util.ArrayList;
import java.util.List;

/** The like phases of one setting, one for each round. */
final class Rounds {
    private final List<PhaseResult> phases = new ArrayList<>();

    void add(PhaseResult phase) {
        phases.add(phase);
    }

    /** All rounds as one long phase. */
    PhaseResult total() {
        return phases.stream().reduce(PhaseResult.empty(), PhaseResult::then);
    }

    Spread unitsPerSecond() {
        return Spread.of(
                phases.stream().mapToDouble(PhaseResult::unitsPerSecond).toArray());
    }

    /** Unlike the units per second it does not suffer from what else runs on the machine. */
    Spread cpuNsPerUnit() {
        return Spread.of(phases.stream()
                .mapToDouble(phase -> (double) phase.workCpuNs() / phase.units())
                .toArray());
    }

    /** Units per second of this setting as a ratio of another's, round by round: a drift of the machine falls out. */
    Spread unitsPerSecondAgainst(Rounds baseline) {
        double[] ratios = new double[phases.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = phases.get(i).unitsPerSecond() / baseline.phases.get(i).unitsPerSecond();
        }
        return Spread.of(ratios);
    }
}
