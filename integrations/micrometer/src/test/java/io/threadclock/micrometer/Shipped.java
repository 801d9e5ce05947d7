// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The files that the jar has besides classes, and the page of them, docs/metrics.md. */
final class Shipped {
    static final ObjectMapper JSON = new ObjectMapper();

    static final Path PAGE = Path.of(System.getProperty("threadclock.home", "../.."), "docs/metrics.md");
    static final String PAGE_TEXT = page();

    private Shipped() {}

    private static String page() {
        try {
            return Files.readString(PAGE);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The page's blocks between ```LANGUAGE and ```. */
    static List<String> blocks(String language) {
        return Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$")
                .matcher(PAGE_TEXT)
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    static JsonNode dashboard() {
        try {
            return JSON.readTree(Shipped.class.getResourceAsStream("threadclock-dashboard.json"));
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
