// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Series;
import java.util.List;

/**
 * What JMH has measured on one JDK.
 *
 * @param series a round is an iteration of a fork; contenders were measured in turn, fork by fork
 * @param notes what the agent said, and what was left out and why
 */
public record JmhMeasurement(List<Series> series, List<Distribution> distributions, List<String> notes) {
    public JmhMeasurement {
        series = List.copyOf(series);
        distributions = List.copyOf(distributions);
        notes = List.copyOf(notes);
    }
}
