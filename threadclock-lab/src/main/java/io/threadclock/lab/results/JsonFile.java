// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
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

/**
 * A run that is kept in a file.
 *
 * @param name of such files
 * @param command that writes them
 * @param type has a component {@code format}
 * @param format of the files that are read
 */
public record JsonFile<T>(Path path, String name, String command, Class<T> type, int format) {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    public static JsonFile<Results> results(Path path) {
        return new JsonFile<>(path, "results.json", "./threadclock bench", Results.class, Results.FORMAT);
    }

    public static JsonFile<AccuracyResults> accuracy(Path path) {
        String command = "./threadclock accuracy";
        return new JsonFile<>(path, "accuracy.json", command, AccuracyResults.class, AccuracyResults.FORMAT);
    }

    /** @throws SetupException if it is missing, no such file, or of another format */
    public T read() {
        try {
            return parsed(Files.readString(path));
        } catch (JsonProcessingException broken) {
            throw new SetupException(tried() + ": it is no " + name + ": " + reason(broken) + remedy(), broken);
        } catch (NoSuchFileException missing) {
            throw new SetupException(tried() + ": there is no such file" + remedy(), missing);
        } catch (IOException refused) {
            throw new SetupException(tried() + " failed: " + refused + remedy(), refused);
        }
    }

    /** @throws SetupException if it cannot be written */
    public void write(T run) {
        try {
            WholeFile.write(path, MAPPER.writer(new LineForEach()).writeValueAsString(run) + "\n");
        } catch (JsonProcessingException unexpected) {
            throw new IllegalStateException("results that are no JSON", unexpected);
        }
    }

    private T parsed(String text) throws JsonProcessingException {
        JsonNode root = MAPPER.readTree(text);
        if (!root.isObject()) {
            throw new SetupException(tried() + ": it is no " + name + ": no object is in it" + remedy());
        }
        int found = root.path("format").asInt();
        if (found != format && root.has("format")) {
            throw new SetupException(tried() + ": its format is " + found + ", and this threadclock reads " + format
                    + ". Measure anew with the threadclock that is to read them.");
        }
        return MAPPER.treeToValue(root, type);
    }

    private String tried() {
        return "Reading results from " + path;
    }

    private String remedy() {
        return ". Name one that " + command + " has written.";
    }

    /** Without the source and the path within it that follow in further lines. */
    private static String reason(JsonProcessingException broken) {
        return broken.getOriginalMessage().lines().findFirst().orElse("empty");
    }

    /**
     * A line for each member of the whole and for each element of its lists, so that a difference of two files can be read.
     */
    private static final class LineForEach extends DefaultPrettyPrinter {
        private static final long serialVersionUID = 1L;
        private static final int DEEPEST_WITH_LINES = 2;

        LineForEach() {
            super(Separators.createDefaultInstance()
                    .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                    .withObjectEntrySpacing(Separators.Spacing.AFTER));
            indentArraysWith(new Indentation());
            indentObjectsWith(new Indentation());
        }

        private LineForEach(LineForEach other) {
            super(other);
        }

        /** Jackson asks for one of its own for each document: it counts how deep it is. */
        @Override
        public DefaultPrettyPrinter createInstance() {
            return new LineForEach(this);
        }

        @Override
        public void writeEndObject(JsonGenerator json, int members) throws IOException {
            writeEnd(json, members, '}');
        }

        @Override
        public void writeEndArray(JsonGenerator json, int elements) throws IOException {
            writeEnd(json, elements, ']');
        }

        /** On a line of its own where what is in it is. */
        private void writeEnd(JsonGenerator json, int inside, char end) throws IOException {
            _nesting--;
            if (inside > 0 && _nesting < DEEPEST_WITH_LINES) {
                DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.writeIndentation(json, _nesting);
            }
            json.writeRaw(end);
        }

        private static final class Indentation extends DefaultIndenter {
            private static final long serialVersionUID = 1L;

            @Override
            public void writeIndentation(JsonGenerator json, int level) throws IOException {
                if (level <= DEEPEST_WITH_LINES) {
                    super.writeIndentation(json, level);
                }
            }
        }
    }
}
