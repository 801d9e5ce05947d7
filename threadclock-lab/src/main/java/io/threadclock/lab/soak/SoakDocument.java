// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.threadclock.harness.GeneratedBlock;
import io.threadclock.harness.SetupException;
import io.threadclock.harness.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The soak that is kept in a checkout, and the block of docs/accuracy.md that is made from it. */
final class SoakDocument {
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final GeneratedBlock BLOCK = new GeneratedBlock("soak");

    private final Path page;
    private final Path kept;

    /** @param home the checkout */
    SoakDocument(Path home) {
        this.page = home.resolve("docs/accuracy.md");
        this.kept = home.resolve("docs/soak.json");
    }

    Path kept() {
        return kept;
    }

    Path page() {
        return page;
    }

    void write(SoakReport report) {
        if (!BLOCK.write(page, report.toMarkdown())) {
            throw new SetupException("Writing the soak into " + page + ": it is not there, or has no block for it. "
                    + "Restore it (git checkout), then run again.");
        }
        try {
            WholeFile.write(kept, MAPPER.writeValueAsString(report) + "\n");
        } catch (JsonProcessingException unexpected) {
            throw new IllegalStateException("a report that is no JSON", unexpected);
        }
    }

    /** Whether the page says something else than what is kept. */
    boolean hasDrifted() throws IOException {
        SoakReport report = MAPPER.readValue(Files.readString(kept), SoakReport.class);
        return !BLOCK.in(Files.readString(page)).equals(Optional.of(report.toMarkdown().strip()));
    }
}
