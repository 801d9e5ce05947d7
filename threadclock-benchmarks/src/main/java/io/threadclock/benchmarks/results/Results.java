// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.results;

import java.util.List;

/**
 * A whole run.
 *
 * @param format of the file; a reader refuses another one
 * @param notes what programs said that belongs to the figures: refusals, demotions, what was left out and why
 */
public record Results(
        int format,
        Origin origin,
        List<Series> series,
        List<Distribution> distributions,
        List<FlameGraph> flameGraphs,
        List<String> notes) {
    public static final int FORMAT = 1;

    public Results {
        series = List.copyOf(series);
        distributions = List.copyOf(distributions);
        flameGraphs = List.copyOf(flameGraphs);
        notes = List.copyOf(notes);
    }
}
