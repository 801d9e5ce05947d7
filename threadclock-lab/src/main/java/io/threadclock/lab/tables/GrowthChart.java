// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Results;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;

/** How long one call for the times of many threads takes, over their number: a picture for each JDK. */
final class GrowthChart {
    private static final int PANELS_IN_A_ROW = 2;
    private static final int LEGEND_HEIGHT = 60;
    private static final double TITLE_Y = 22;
    private static final double LEGEND_Y = 44;
    private static final double SWATCH = 28;
    private static final double SWATCH_GAP = 8;
    /** For the longest of the names, "CPU time, threadclock". */
    private static final double ENTRY = 176;

    /** Legible on either ground, and for those who do not tell red from green. */
    private static final String STYLE =
            """
            .ground { fill: #ffffff }
            .frame { fill: none; stroke: #8c959f }
            .grid { stroke: #d8dee4 }
            text { fill: #1f2328; font: 12px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif }
            .title { font-size: 14px; font-weight: 600 }
            .stock { stroke: #bc4c00; fill: #bc4c00 }
            .agent { stroke: #0969da; fill: #0969da }
            polyline, .swatch { fill: none !important; stroke-width: 2 }
            .cpu { stroke-dasharray: 5 4 }
            circle { stroke-dasharray: none !important }
            @media (prefers-color-scheme: dark) {
              .ground { fill: #0d1117 }
              .frame { stroke: #6e7681 }
              .grid { stroke: #30363d }
              text { fill: #e6edf3 }
              .stock { stroke: #f0883e; fill: #f0883e }
              .agent { stroke: #58a6ff; fill: #58a6ff }
            }
            """;

    private final Results results;
    private final List<String> jdks;
    /** Ascending. */
    private final List<Double> sizes;

    GrowthChart(Results results) {
        this.results = results;
        this.jdks = results.each(Benchmarks.ARRAY, subject -> subject.jdk());
        this.sizes = results.each(Benchmarks.ARRAY, subject -> subject.parameter());
    }

    String toSvg() {
        int rows = (jdks.size() + PANELS_IN_A_ROW - 1) / PANELS_IN_A_ROW;
        int width = PANELS_IN_A_ROW * GrowthPanel.WIDTH;
        int height = LEGEND_HEIGHT + rows * GrowthPanel.HEIGHT;
        Svg svg = new Svg(width, height, STYLE);
        svg.rectangle("ground", new Svg.Point(0, 0), width, height);
        svg.text(
                "title",
                new Svg.Point(GrowthPanel.LEFT, TITLE_Y),
                Svg.Anchor.START,
                "One call for the times of many threads");
        drawLegend(svg);
        drawPanels(svg);
        return svg.document("How long one call for the times of many threads takes, stock and with threadclock");
    }

    private static void drawLegend(Svg svg) {
        double x = GrowthPanel.LEFT;
        for (GrowthLine line : GrowthLine.all()) {
            double middle = LEGEND_Y - 4;
            svg.line(line.kind() + " swatch", new Svg.Point(x, middle), new Svg.Point(x + SWATCH, middle));
            svg.text("", new Svg.Point(x + SWATCH + SWATCH_GAP, LEGEND_Y), Svg.Anchor.START, line.toString());
            x += ENTRY;
        }
    }

    private void drawPanels(Svg svg) {
        DoubleSummaryStatistics us = jdks.stream()
                .flatMapToDouble(this::allUs)
                .summaryStatistics();
        for (int i = 0; i < jdks.size(); i++) {
            double left = i % PANELS_IN_A_ROW * GrowthPanel.WIDTH;
            double top = LEGEND_HEIGHT + i / PANELS_IN_A_ROW * GrowthPanel.HEIGHT;
            new GrowthPanel(svg, new Svg.Point(left, top), sizes, us.getMin(), us.getMax())
                    .draw(results, jdks.get(i));
        }
    }

    private DoubleStream allUs(String jdk) {
        return GrowthLine.all().stream()
                .flatMapToDouble(line -> sizes.stream().mapToDouble(threads -> line.us(results, jdk, threads)));
    }
}
