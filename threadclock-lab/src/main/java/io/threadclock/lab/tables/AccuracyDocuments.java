// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.AccuracyFile;
import io.threadclock.lab.results.AccuracyResults;
import io.threadclock.harness.GeneratedBlock;
import io.threadclock.harness.SetupException;
import io.threadclock.harness.WholeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** docs/accuracy.md and its charts, as far as they are made from docs/accuracy.json. */
public final class AccuracyDocuments {
    private static final GeneratedBlock BLOCK = new GeneratedBlock("accuracy");
    private static final List<ErrorWindow> DRAWN = List.of(ErrorWindow.TEN_MILLISECONDS, ErrorWindow.REQUEST);

    private final Path document;
    private final Path kept;

    /** @param home the checkout */
    public AccuracyDocuments(Path home) {
        this.document = home.resolve("docs/accuracy.md");
        this.kept = home.resolve("docs/accuracy.json");
    }

    /** Where the results are that the document is made from. */
    public Path results() {
        return kept;
    }

    /**
     * Keeps the results and writes the document from them.
     *
     * @return what was written
     * @throws SetupException if the document or the block in it is missing, or a file cannot be written
     */
    public List<Path> write(AccuracyResults results) {
        new AccuracyFile(kept).write(results);
        AccuracyResults read = new AccuracyFile(kept).read();
        if (!BLOCK.write(document, markdown(read))) {
            throw new SetupException("Writing the errors into " + document + ": it is not there, or has no block for "
                    + "them. Restore it (git checkout), then run again.");
        }
        List<Path> written = new ArrayList<>(List.of(kept, document));
        charts(read).forEach((file, svg) -> {
            WholeFile.write(file, svg);
            written.add(file);
        });
        return written;
    }

    /** Those that say something else than the results that are kept. */
    public List<Path> drifted() {
        AccuracyResults read = new AccuracyFile(kept).read();
        List<Path> drifted = new ArrayList<>();
        if (!BLOCK.in(WholeFile.read(document)).equals(Optional.of(markdown(read).strip()))) {
            drifted.add(document);
        }
        charts(read).forEach((file, svg) -> {
            if (!WholeFile.read(file).equals(svg)) {
                drifted.add(file);
            }
        });
        return drifted;
    }

    private String markdown(AccuracyResults results) {
        StringBuilder text = new StringBuilder(new AccuracyReport(results).toMarkdown());
        for (ErrorWindow window : DRAWN) {
            ErrorChart chart = new ErrorChart(results, window);
            if (!chart.isEmpty()) {
                text.append("![").append(chart.title()).append("](").append(name(window)).append(")\n\n");
            }
        }
        return text.toString();
    }

    private Map<Path, String> charts(AccuracyResults results) {
        Map<Path, String> charts = new LinkedHashMap<>();
        for (ErrorWindow window : DRAWN) {
            ErrorChart chart = new ErrorChart(results, window);
            if (!chart.isEmpty()) {
                charts.put(document.resolveSibling(name(window)), chart.toSvg());
            }
        }
        return charts;
    }

    private static String name(ErrorWindow window) {
        return "accuracy-" + window.over() + ".svg";
    }
}
