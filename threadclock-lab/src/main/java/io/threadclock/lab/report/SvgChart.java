// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The description of a chart in a document, which is drawn as SVG: a legend, and panels beside and below one another.
 *
 * @param summary what a reader is told who cannot see it
 * @param legend the lines' names, by their classes
 * @param columns how many panels stand beside one another
 */
record SvgChart(String title, String summary, List<Line> legend, int columns, Size size, List<Panel> panels) {
    private static final int LEGEND_HEIGHT = 60;
    private static final double TITLE_Y = 22;
    private static final double LEGEND_Y = 44;
    private static final double SWATCH = 28;
    private static final double LABEL_GAP = 8;
    private static final double BAR_HEIGHT = 24;
    private static final double ROUNDING = 1e-9;

    /** Legible on either ground, and for those who do not tell red from green; at the dots are hints. */
    private static final String STYLE =
            """
            .ground { fill: #ffffff }
            .frame { fill: none; stroke: #8c959f }
            .grid { stroke: #d8dee4 }
            text { fill: #1f2328; font: 12px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif }
            .title { font-size: 14px; font-weight: 600 }
            .stock, .ticks { stroke: #bc4c00; fill: #bc4c00 }
            .agent, .smoothed { stroke: #0969da; fill: #0969da }
            .proc { stroke: #8a6a00; fill: #8a6a00 }
            .kernel { stroke: #7a3fc4; fill: #7a3fc4 }
            .sampled { stroke: #1a7f37; fill: #1a7f37 }
            polyline, .swatch { fill: none !important; stroke-width: 2 }
            .cpu { stroke-dasharray: 5 4 }
            circle { stroke-dasharray: none !important }
            @media (prefers-color-scheme: dark) {
              .ground { fill: #0d1117 }
              .frame { stroke: #6e7681 }
              .grid { stroke: #30363d }
              text { fill: #e6edf3 }
              .stock, .ticks { stroke: #f0883e; fill: #f0883e }
              .agent, .smoothed { stroke: #58a6ff; fill: #58a6ff }
              .proc { stroke: #d9b342; fill: #d9b342 }
              .kernel { stroke: #b892f5; fill: #b892f5 }
              .sampled { stroke: #56d364; fill: #56d364 }
            }
            """;

    /** For charts with bars. */
    private static final String BAR_STYLE =
            """
            .user { stroke: #0969da; fill: #0969da }
            .system { stroke: #7a3fc4; fill: #7a3fc4 }
            .run-delay { stroke: #bc4c00; fill: #bc4c00 }
            .not-running { stroke: #8c959f; fill: #8c959f }
            rect.bar { stroke: none }
            .bar.swatch { stroke-width: 12 }
            @media (prefers-color-scheme: dark) {
              .user { stroke: #58a6ff; fill: #58a6ff }
              .system { stroke: #b892f5; fill: #b892f5 }
              .run-delay { stroke: #f0883e; fill: #f0883e }
              .not-running { stroke: #6e7681; fill: #6e7681 }
            }
            """;

    /**
     * The size of each panel, and of the margins around its frame, in pixels.
     *
     * @param entry of the legend: room for the longest name
     */
    record Size(int width, int height, int left, int right, int top, int bottom, int entry) {}

    /** One frame with its axes. */
    record Panel(
            String title,
            String xTitle,
            String yTitle,
            List<Tick> xTicks,
            List<Tick> yTicks,
            List<Line> lines,
            List<Bar> bars) {
        Panel(String title, String xTitle, String yTitle, List<Tick> xTicks, List<Tick> yTicks, List<Line> lines) {
            this(title, xTitle, yTitle, xTicks, yTicks, lines, List.of());
        }
    }

    /** @param at its place on the axis, from 0 to 1; upward on the vertical one */
    record Tick(double at, String label) {}

    /**
     * Points of one kind.
     *
     * @param kind its classes in the style sheet
     * @param isJoined whether the points lie on a line
     */
    record Line(String name, String kind, boolean isJoined, List<Point> points) {}

    /**
     * A horizontal bar.
     *
     * @param kind its class in the style sheet
     * @param from its left end, from 0 to 1
     * @param to its right end
     * @param y its centre, from 0 to 1, upward
     * @param hint shown to those who point at it
     */
    record Bar(String kind, double from, double to, double y, String hint) {}

    /**
     * @param x from 0 to 1
     * @param y from 0 to 1, upward
     * @param hint shown to those who point at it
     */
    record Point(double x, double y, String hint) {}

    /** A logarithmic axis from {@code least} to {@code most}. */
    record LogAxis(double least, double most) {
        /** From the power of ten below the least figure, or at it, to the one above the greatest. */
        static LogAxis aroundDecades(double leastFigure, double greatestFigure) {
            double least = Math.pow(10, Math.floor(Math.log10(leastFigure)));
            return new LogAxis(least, Math.max(Math.pow(10, Math.ceil(Math.log10(greatestFigure))), 10 * least));
        }

        /** From 0 to 1; what is beyond an end is at it. */
        double place(double figure) {
            double within = Math.min(most, Math.max(least, figure));
            return Math.log10(within / least) / Math.log10(most / least);
        }

        /** The powers of ten on it. */
        List<Double> decades() {
            long first = (long) Math.ceil(Math.log10(least) - ROUNDING);
            long last = (long) Math.floor(Math.log10(most) + ROUNDING);
            return LongStream.rangeClosed(first, last)
                    .mapToObj(power -> Math.pow(10, power))
                    .toList();
        }
    }

    String toSvg() {
        int rows = (panels.size() + columns - 1) / columns;
        int width = columns * size.width;
        int height = LEGEND_HEIGHT + rows * size.height;
        List<String> elements = new ArrayList<>();
        elements.add(rectangle("ground", 0, 0, width, height));
        elements.add(text("title", size.left, TITLE_Y, "start", title));
        double x = size.left;
        for (Line line : legend) {
            elements.add(
                    line.isJoined
                            ? line(line.kind + " swatch", x, LEGEND_Y - 4, x + SWATCH, LEGEND_Y - 4)
                            : dot(line.kind, x + SWATCH / 2, LEGEND_Y - 4, line.name));
            elements.add(text("", x + SWATCH + LABEL_GAP, LEGEND_Y, "start", line.name));
            x += size.entry;
        }
        for (int i = 0; i < panels.size(); i++) {
            double left = i % columns * size.width;
            double top = LEGEND_HEIGHT + i / columns * size.height;
            draw(panels.get(i), left, top, elements);
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n"
                        .formatted(width, height, width, height)
                + "<title>" + escaped(summary) + "</title>\n<style>\n" + style() + "</style>\n"
                + String.join("", elements) + "</svg>\n";
    }

    private String style() {
        return panels.stream().allMatch(panel -> panel.bars.isEmpty()) ? STYLE : STYLE + BAR_STYLE;
    }

    private void draw(Panel panel, double panelLeft, double panelTop, List<String> elements) {
        double left = panelLeft + size.left;
        double right = panelLeft + size.width - size.right;
        double top = panelTop + size.top;
        double bottom = panelTop + size.height - size.bottom;
        for (Tick tick : panel.xTicks) {
            double x = left + tick.at * (right - left);
            elements.add(line("grid", x, bottom, x, top));
            elements.add(text("", x, bottom + 18, "middle", tick.label));
        }
        for (Tick tick : panel.yTicks) {
            double y = bottom - tick.at * (bottom - top);
            elements.add(line("grid", left, y, right, y));
            elements.add(text("", left - LABEL_GAP, y + 4, "end", tick.label));
        }
        elements.add(rectangle("frame", left, top, right - left, bottom - top));
        elements.add(text("title", (left + right) / 2, top - 10, "middle", panel.title));
        elements.add(text("", (left + right) / 2, bottom + 36, "middle", panel.xTitle));
        elements.add(element(
                "<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                panelLeft + 12, (top + bottom) / 2, escaped(panel.yTitle)));
        for (Bar bar : panel.bars) {
            elements.add(element(
                    "<rect class=\"%s bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title></rect>",
                    bar.kind,
                    left + bar.from * (right - left),
                    bottom - bar.y * (bottom - top) - BAR_HEIGHT / 2,
                    (bar.to - bar.from) * (right - left),
                    BAR_HEIGHT,
                    escaped(bar.hint)));
        }
        for (Line line : panel.lines) {
            if (line.isJoined) {
                String places = line.points.stream()
                        .map(point -> String.format(
                                Locale.ROOT,
                                "%.1f,%.1f",
                                left + point.x * (right - left),
                                bottom - point.y * (bottom - top)))
                        .collect(Collectors.joining(" "));
                elements.add(element("<polyline class=\"%s\" points=\"%s\"/>", line.kind, places));
            }
            line.points.forEach(point -> elements.add(
                    dot(line.kind, left + point.x * (right - left), bottom - point.y * (bottom - top), point.hint)));
        }
    }

    private static String rectangle(String kind, double x, double y, double width, double height) {
        return element(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", kind, x, y, width, height);
    }

    private static String line(String kind, double fromX, double fromY, double toX, double toY) {
        return element(
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", kind, fromX, fromY, toX, toY);
    }

    private static String dot(String kind, double x, double y, String hint) {
        return element(
                "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>%s</title></circle>",
                kind, x, y, escaped(hint));
    }

    private static String text(String kind, double x, double y, String anchor, String text) {
        return element(
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                kind, x, y, anchor, escaped(text));
    }

    private static String element(String format, Object... values) {
        return String.format(Locale.ROOT, format, values) + "\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
