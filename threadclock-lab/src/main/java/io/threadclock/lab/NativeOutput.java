// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.SetupException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** What {@code make bench JSON=1} prints: perhaps what it builds, then the rounds of each contender. */
final class NativeOutput {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String BEGINNING = "{\"rows\": [";

    private NativeOutput() {}

    /**
     * The figures. A source that the kernel refused has none.
     *
     * @throws SetupException if there are none at all
     */
    static List<Series> parse(String output) {
        int begin = output.indexOf(BEGINNING);
        if (begin < 0) {
            throw nothingIn(output);
        }
        try {
            List<Series> figures = new ArrayList<>();
            MAPPER.readTree(output.substring(begin)).path("rows").forEach(row -> figures.add(figure(row)));
            return figures;
        } catch (JsonProcessingException cutOff) {
            throw nothingIn(output);
        }
    }

    private static Series figure(JsonNode row) {
        List<Double> rounds = StreamSupport.stream(row.path("ns").spliterator(), false)
                .map(JsonNode::asDouble)
                .toList();
        Subject subject = new Subject(Benchmarks.NATIVE, "", row.path("name").asText(), "read", null);
        return new Series(subject, "ns", rounds);
    }

    private static SetupException nothingIn(String output) {
        String last = output.lines().reduce("nothing", (first, second) -> second);
        return new SetupException("Running make -C threadclock-native bench JSON=1: it printed no measurement, "
                + "and at last \"" + last + "\". Run it by hand to see all of it.");
    }
}
