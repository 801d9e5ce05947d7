// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine.program;

import io.threadclock.lab.program.HistogramText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Slices of work in the order in which they were done.
 *
 * @param unitNs wall time of each unit, attribution included, by the way of attribution
 */
public record Turns(List<Slice> slices, Map<Way, Histogram> unitNs) {
    public Turns {
        slices = List.copyOf(slices);
    }

    static Histogram emptyHistogram() {
        return new Histogram(3);
    }

    /** @throws IllegalArgumentException if the text holds anything else */
    public static Turns parse(String text) {
        List<Slice> slices = new ArrayList<>();
        Map<Way, Histogram> unitNs = new EnumMap<>(Way.class);
        for (String word : text.split(" ")) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                unitNs.put(Way.valueOf(word.substring(0, equals)), HistogramText.parse(word.substring(equals + 1)));
            } else {
                slices.add(Slice.parse(word));
            }
        }
        return new Turns(slices, unitNs);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        slices.forEach(slice -> text.append(slice).append(' '));
        unitNs.forEach((way, histogram) ->
                text.append(way).append('=').append(HistogramText.of(histogram)).append(' '));
        return text.toString().strip();
    }
}
