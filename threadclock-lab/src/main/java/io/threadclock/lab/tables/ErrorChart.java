// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.AccuracyResults;
import io.threadclock.lab.results.ErrorFigure;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The mean absolute errors of user time over windows of one length: a row for each workload, a dot for each reader. */
public final class ErrorChart {
    private static final int WIDTH = 760;
    private static final int LEFT = 150;
    private static final int RIGHT = 24;
    private static final int TOP = 72;
    private static final int BOTTOM = 48;
    private static final int ROW = 24;
    private static final double TITLE_Y = 22;
    private static final double LEGEND_Y = 48;
    private static final double ENTRY = 110;
    private static final double LABEL_GAP = 10;

    /** Smaller errors stand at the edge: nobody decides by them. */
    private static final double LEAST_POINTS = 0.1;
    private static final double MOST_POINTS = 1000;

    /** Legible on either ground. Who does not tell the colours apart has hints at the dots, and the table. */
    private static final String STYLE =
            """
            .ground { fill: #ffffff }
            .frame { fill: none; stroke: #8c959f }
            .grid { stroke: #d8dee4 }
            text { fill: #1f2328; font: 12px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif }
            .title { font-size: 14px; font-weight: 600 }
            circle { r: 4.5px }
            .proc { fill: #8a6a00 }
            .ticks { fill: #bc4c00 }
            .kernel { fill: #7a3fc4 }
            .smoothed { fill: #0969da }
            .sampled { fill: #1a7f37 }
            @media (prefers-color-scheme: dark) {
              .ground { fill: #0d1117 }
              .frame { stroke: #6e7681 }
              .grid { stroke: #30363d }
              text { fill: #e6edf3 }
              .proc { fill: #d9b342 }
              .ticks { fill: #f0883e }
              .kernel { fill: #b892f5 }
              .smoothed { fill: #58a6ff }
              .sampled { fill: #56d364 }
            }
            """;

    private final AccuracyResults results;
    private final ErrorWindow window;
    private final List<String> workloads;
    private final List<String> readers;
    private final LogAxis across;

    public ErrorChart(AccuracyResults results, ErrorWindow window) {
        this.results = results;
        this.window = window;
        this.workloads = results.workloads(window.over());
        this.readers = results.readers(window.over());
        this.across = new LogAxis(LEAST_POINTS, MOST_POINTS, LEFT, WIDTH - RIGHT);
    }

    public boolean isEmpty() {
        return workloads.isEmpty();
    }

    public String title() {
        return "Error of user time " + window.words();
    }

    public String toSvg() {
        int height = TOP + workloads.size() * ROW + BOTTOM;
        Svg svg = new Svg(WIDTH, height, STYLE);
        svg.rectangle("ground", new Svg.Point(0, 0), WIDTH, height);
        svg.text("title", new Svg.Point(LEFT, TITLE_Y), Svg.Anchor.START, title());
        drawLegend(svg);
        drawGrid(svg);
        for (int row = 0; row < workloads.size(); row++) {
            drawRow(svg, workloads.get(row), TOP + (row + 0.5) * ROW);
        }
        return svg.document(title() + ", by workload and reader: mean absolute error in percentage points");
    }

    private void drawLegend(Svg svg) {
        for (int i = 0; i < readers.size(); i++) {
            double x = LEFT + i * ENTRY;
            svg.dot(readers.get(i), new Svg.Point(x + 4, LEGEND_Y - 4), readers.get(i));
            svg.text("", new Svg.Point(x + 14, LEGEND_Y), Svg.Anchor.START, readers.get(i));
        }
    }

    private void drawGrid(Svg svg) {
        double bottom = TOP + workloads.size() * ROW;
        for (double points : across.decades()) {
            double x = across.place(points);
            svg.line("grid", new Svg.Point(x, TOP), new Svg.Point(x, bottom));
            String label = points <= LEAST_POINTS ? "≤ " + plain(points) : plain(points);
            svg.text("", new Svg.Point(x, bottom + 18), Svg.Anchor.MIDDLE, label);
        }
        svg.rectangle("frame", new Svg.Point(LEFT, TOP), across.to() - LEFT, bottom - TOP);
        double middle = (LEFT + across.to()) / 2;
        String axis = "mean absolute error, percentage points of the CPU time";
        svg.text("", new Svg.Point(middle, bottom + 38), Svg.Anchor.MIDDLE, axis);
    }

    private void drawRow(Svg svg, String workload, double y) {
        svg.text("", new Svg.Point(LEFT - LABEL_GAP, y + 4), Svg.Anchor.END, workload);
        svg.line("grid", new Svg.Point(LEFT, y), new Svg.Point(across.to(), y));
        for (String reader : readers) {
            mean(workload, reader).ifPresent(points -> {
                double shown = Math.min(MOST_POINTS, Math.max(LEAST_POINTS, points));
                String hint = reader + ", " + workload + ": " + ErrorTable.figure(points);
                svg.dot(reader, new Svg.Point(across.place(shown), y), hint);
            });
        }
    }

    private Optional<Double> mean(String workload, String reader) {
        return results.amount(workload, window.over(), reader, ErrorFigure.USER, ErrorFigure.MEAN);
    }

    private static String plain(double points) {
        return String.format(Locale.ROOT, points < 1 ? "%.1f" : "%.0f", points);
    }
}
