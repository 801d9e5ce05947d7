// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.results;

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

/** results.json. */
public record ResultsFile(Path path) {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final String REMEDY = ". Name one that ./threadclock bench has written.";

    /** @throws SetupException if it is missing, no results.json, or of another format */
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
    public void write(Results results) {
        try {
            WholeFile.write(path, MAPPER.writer(new LineForEach()).writeValueAsString(results) + "\n");
        } catch (JsonProcessingException unexpected) {
            throw new IllegalStateException("results that are no JSON", unexpected);
        }
    }

    private Results parsed(String text) throws JsonProcessingException {
        JsonNode root = MAPPER.readTree(text);
        if (!root.isObject()) {
            throw new SetupException(tried() + ": it is no results.json: no object is in it" + REMEDY);
        }
        int format = root.path("format").asInt();
        if (format != Results.FORMAT && root.has("format")) {
            throw new SetupException(tried() + ": its format is " + format + ", and this threadclock reads "
                    + Results.FORMAT + ". Measure anew with the threadclock that is to read them.");
        }
        return MAPPER.treeToValue(root, Results.class);
    }

    private String tried() {
        return "Reading results from " + path;
    }

    /** Without the source and the path within it that follow in further lines. */
    private static String reason(JsonProcessingException broken) {
        return broken.getOriginalMessage().lines().findFirst().orElse("empty");
    }
}
