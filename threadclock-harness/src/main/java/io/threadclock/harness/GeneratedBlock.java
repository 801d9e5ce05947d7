// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The text between {@code <!-- NAME:begin -->} and {@code <!-- NAME:end -->} of a Markdown file, written by the command
 * that measured it. The markers stay, and so does all around them.
 */
public final class GeneratedBlock {
    private final String beginMarker;
    private final String endMarker;

    public GeneratedBlock(String name) {
        this.beginMarker = "<!-- " + name + ":begin -->";
        this.endMarker = "<!-- " + name + ":end -->";
    }

    /**
     * Replaces the block in {@code file}.
     *
     * @return whether the file exists and has the markers; if not, nothing is written
     * @throws SetupException if there is a begin marker without an end marker after it, or the file cannot be written
     */
    public boolean write(Path file, String markdown) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try {
            String before = Files.readString(file);
            if (!before.contains(beginMarker)) {
                return false;
            }
            WholeFile.write(file, replacedIn(before, markdown, file));
            return true;
        } catch (IOException failure) {
            throw new SetupException("Reading " + file + " failed: " + failure + ". Make it readable.", failure);
        }
    }

    /** What stands in the block, without the line breaks around it; empty if the document has no such block. */
    public Optional<String> in(String document) {
        int begin = document.indexOf(beginMarker);
        int end = document.indexOf(endMarker, begin);
        return begin < 0 || end < 0
                ? Optional.empty()
                : Optional.of(document.substring(begin + beginMarker.length(), end).strip());
    }

    private String replacedIn(String document, String markdown, Path file) {
        int begin = document.indexOf(beginMarker) + beginMarker.length();
        int end = document.indexOf(endMarker, begin);
        if (end < 0) {
            throw new SetupException("Writing the generated block of " + file + " failed: " + beginMarker + " has no "
                    + endMarker + " after it. Put that line back.");
        }
        return document.substring(0, begin) + "\n" + markdown.strip() + "\n" + document.substring(end);
    }
}
