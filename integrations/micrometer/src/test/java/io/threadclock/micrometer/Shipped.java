// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files that the jar has besides classes, and the tests' helpers for them. */
final class Shipped {
    static final ObjectMapper JSON = new ObjectMapper();

    private Shipped() {}

    static JsonNode dashboard() {
        try {
            return JSON.readTree(dashboardText());
        } catch (IOException noJson) {
            throw new UncheckedIOException(noJson);
        }
    }

    static String dashboardText() {
        try (InputStream file = Shipped.class.getResourceAsStream("threadclock-dashboard.json")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The dashboard's queries, with every choice that a user of the dashboard can make. */
    static List<String> dashboardQueries() {
        List<String> queries = new ArrayList<>();
        dashboard()
                .findValues("expr")
                .forEach(expr -> queries.add(expr.asText()
                        .replace("$__rate_interval", "1m")
                        .replaceAll("\\$(job|instance|jvm|pool)", ".*")));
        return queries;
    }

    /** Copies a resource to a file of the same name. */
    static Path copy(String resource, Path folder) throws IOException {
        Path file = folder.resolve(resource.substring(resource.lastIndexOf('/') + 1));
        try (InputStream from = Shipped.class.getResourceAsStream(resource)) {
            Files.copy(from, file);
        }
        return file;
    }
}
