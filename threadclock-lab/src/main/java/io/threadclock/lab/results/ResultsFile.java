// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.threadclock.harness.SetupException;
import io.threadclock.harness.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** A run that is kept in a file. */
public record ResultsFile(Path path) {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final String REMEDY = ". Name one that ./threadclock bench, accuracy or soak has written.";

    /** @throws SetupException if it is missing, no such file, or of another format */
    public Results read() {
        try {
            return parsed(Files.readString(path));
        } catch (JsonProcessingException broken) {
            throw new SetupException(tried() + ": it is no results.json: " + reason(broken) + REMEDY, broken);
        } catch (NoSuchFileException missing) {
            throw new SetupException(tried() + ": there is no such file" + REMEDY, missing);
        } catch (IOException refused) {
            throw new SetupException(tried() + " failed: " + refused + REMEDY, refused);
        }
    }

    /** @throws SetupException if it cannot be written */
    public void write(Results run) {
        WholeFile.write(path, text(MAPPER.valueToTree(run)));
    }

    /** Parses what a program has printed. @throws IllegalArgumentException if it is no measurement */
    public static Measurement measurement(JsonNode printed) {
        try {
            return MAPPER.treeToValue(printed, Measurement.class);
        } catch (JsonProcessingException other) {
            throw new IllegalArgumentException("no measurement: " + printed, other);
        }
    }

    private Results parsed(String text) throws JsonProcessingException {
        JsonNode root = MAPPER.readTree(text);
        if (!root.isObject()) {
            throw new SetupException(tried() + ": it is no results.json: no object is in it" + REMEDY);
        }
        int found = root.path("format").asInt();
        if (found != Results.FORMAT && root.has("format")) {
            throw new SetupException(tried() + ": its format is " + found + ", and this threadclock reads "
                    + Results.FORMAT + ". Measure anew with the threadclock that is to read them.");
        }
        for (String member : new String[] {"format", "origin", "measurements", "flameGraphs", "notes"}) {
            if (!root.has(member)) {
                throw new SetupException(tried() + ": it is no results.json: " + member + " is missing" + REMEDY);
            }
        }
        return MAPPER.treeToValue(root, Results.class);
    }

    /** A line for each member of the whole and for each element of its lists: a difference of two files can be read. */
    private static String text(JsonNode run) {
        return run.properties().stream()
                .map(member -> "\"" + member.getKey() + "\": " + lines(member.getValue()))
                .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
    }

    private static String lines(JsonNode member) {
        return member.isArray() && !member.isEmpty()
                ? StreamSupport.stream(member.spliterator(), false)
                        .map(JsonNode::toString)
                        .collect(Collectors.joining(",\n  ", "[\n  ", "\n]"))
                : member.toString();
    }

    private String tried() {
        return "Reading results from " + path;
    }

    /** Without the source and the path within it that follow in further lines. */
    private static String reason(JsonProcessingException broken) {
        return broken.getOriginalMessage().lines().findFirst().orElse("empty");
    }
}
