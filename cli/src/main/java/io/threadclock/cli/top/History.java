// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.DoubleStream;

/** CPU usage of each row in the last samples. Rows that have disappeared are forgotten. */
final class History {
    static final int SAMPLES = 60;
    private static final double[] NOTHING =
            DoubleStream.generate(() -> Double.NaN).limit(SAMPLES).toArray();

    private Map<String, double[]> ratios = new HashMap<>();

    void add(UsageSample sample) {
        Map<String, double[]> next = new HashMap<>();
        for (boolean folds : new boolean[] {false, true}) {
            for (Row row : new ThreadTable(Order.TID, "", folds).rows(sample)) {
                next.computeIfAbsent(row.key(), key -> extended(key, row.rate().cpu()));
            }
        }
        ratios = next;
    }

    private double[] extended(String key, double ratio) {
        double[] now = Arrays.copyOfRange(ratios.getOrDefault(key, NOTHING), 1, SAMPLES + 1);
        now[SAMPLES - 1] = ratio;
        return now;
    }

    /** The oldest value comes first; NaN: the row was not there. */
    double[] of(Row row) {
        return ratios.getOrDefault(row.key(), NOTHING);
    }
}
