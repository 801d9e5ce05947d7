// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.harness.SetupException;
import io.threadclock.harness.WholeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parts of a checkout's documents that are made from results: blocks between {@code <!-- NAME:begin -->} and {@code
 * <!-- NAME:end -->}, and whole files. The markers, and everything around them, stay.
 */
public final class Documents {
    private final Path home;
    private final List<Block> blocks = new ArrayList<>();
    private final Map<Path, String> files = new LinkedHashMap<>();

    /** @param home the checkout */
    public Documents(Path home) {
        this.home = home;
    }

    /** @param file from the checkout on */
    public Documents block(String file, String name, String markdown) {
        blocks.add(new Block(home.resolve(file), "<!-- " + name + ":begin -->", "<!-- " + name + ":end -->", markdown));
        return this;
    }

    /** @param file from the checkout on */
    public Documents file(String file, String text) {
        files.put(home.resolve(file), text);
        return this;
    }

    /**
     * Writes them.
     *
     * @return what was written
     * @throws SetupException if a file or the block in it is missing, or cannot be written
     */
    public List<Path> write() {
        // All of them first, so that none is written where one has no block.
        blocks.forEach(Block::replaced);
        List<Path> written = new ArrayList<>();
        for (Block block : blocks) {
            WholeFile.write(block.file, block.replaced());
            written.add(block.file);
        }
        files.forEach(WholeFile::write);
        written.addAll(files.keySet());
        return written;
    }

    /** The files that differ from the results. */
    public List<Path> drifted() {
        List<Path> drifted = new ArrayList<>();
        for (Block block : blocks) {
            if (!WholeFile.read(block.file).equals(block.replaced())) {
                drifted.add(block.file);
            }
        }
        files.forEach((file, text) -> {
            if (!WholeFile.read(file).equals(text)) {
                drifted.add(file);
            }
        });
        return drifted;
    }

    private record Block(Path file, String begin, String end, String markdown) {
        /** The document with the block. */
        String replaced() {
            String document = WholeFile.read(file);
            int from = document.indexOf(begin);
            int to = document.indexOf(end, Math.max(0, from));
            if (from < 0 || to < 0) {
                throw new SetupException("Writing figures into " + file + ": it has no block from " + begin + " to "
                        + end + ". Restore it (git checkout), then run again.");
            }
            return document.substring(0, from + begin.length()) + "\n" + markdown.strip() + "\n"
                    + document.substring(to);
        }
    }
}
