// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsFile;
import io.threadclock.harness.GeneratedBlock;
import io.threadclock.harness.SetupException;
import io.threadclock.harness.WholeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What of a checkout's documents is made from the results that are kept in it. */
public final class Documents {
    private final Path readme;
    private final Path tables;
    private final Path chart;
    private final Path kept;

    /** @param home the checkout */
    public Documents(Path home) {
        this.readme = home.resolve("README.md");
        this.tables = home.resolve("docs/benchmarks.md");
        this.chart = tables.resolveSibling(Report.CHART);
        this.kept = tables.resolveSibling("results.json");
    }

    /** Where the results are that the documents are made from. */
    public Path results() {
        return kept;
    }

    /**
     * Keeps the results and writes the documents from them.
     *
     * @return what was written
     * @throws SetupException if a file or the block in it is missing, or cannot be written
     */
    public List<Path> write(Results results) {
        new ResultsFile(kept).write(results);
        Report report = new Report(new ResultsFile(kept).read());
        blocks(report).forEach(Documents::write);
        WholeFile.write(chart, report.growthChart());
        return List.of(kept, tables, readme, chart);
    }

    /** Those of the documents that say something else than the results that are kept. */
    public List<Path> drifted() {
        Report report = new Report(new ResultsFile(kept).read());
        List<Path> drifted = new ArrayList<>();
        blocks(report).forEach((file, block) -> {
            if (!block.name().in(WholeFile.read(file)).equals(Optional.of(block.markdown().strip()))) {
                drifted.add(file);
            }
        });
        if (!WholeFile.read(chart).equals(report.growthChart())) {
            drifted.add(chart);
        }
        return drifted;
    }

    private Map<Path, Block> blocks(Report report) {
        Map<Path, Block> blocks = new LinkedHashMap<>();
        blocks.put(readme, new Block(new GeneratedBlock("bench:readme"), report.toShortMarkdown()));
        blocks.put(tables, new Block(new GeneratedBlock("bench"), report.toMarkdown()));
        return blocks;
    }

    private static void write(Path file, Block block) {
        if (!block.name().write(file, block.markdown())) {
            throw new SetupException("Writing the measurements into " + file + ": it is not there, or has no block for "
                    + "them. Restore it (git checkout), then run again.");
        }
    }

    private record Block(GeneratedBlock name, String markdown) {}
}
