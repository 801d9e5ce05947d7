// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Results;
import io.threadclock.harness.Figure;
import java.util.List;
import java.util.Locale;

/** The part of the chart that is about one JDK. */
final class GrowthPanel {
    static final int WIDTH = 400;
    static final int HEIGHT = 340;
    /** Where its frame begins; room for the labels of the axis. */
    static final int LEFT = 72;

    private static final int RIGHT = 16;
    private static final int TOP = 28;
    private static final int BOTTOM = 48;
    private static final double LABEL_GAP = 8;
    /** Room for the half of a label on either side. */
    private static final double BEYOND_SIZES = 1.4;

    private static final double US_PER_MS = 1000;

    private final Svg svg;
    private final Svg.Point corner;
    private final List<Double> sizes;
    private final LogAxis across;
    private final LogAxis up;

    /**
     * @param corner the upper left one
     * @param sizes of the arrays, ascending
     * @param leastUs of all panels, so that they can be compared
     * @param greatestUs of all panels
     */
    GrowthPanel(Svg svg, Svg.Point corner, List<Double> sizes, double leastUs, double greatestUs) {
        this.svg = svg;
        this.corner = corner;
        this.sizes = sizes;
        this.across = new LogAxis(
                sizes.get(0) / BEYOND_SIZES,
                sizes.get(sizes.size() - 1) * BEYOND_SIZES,
                corner.x() + LEFT,
                corner.x() + WIDTH - RIGHT);
        this.up = LogAxis.aroundDecades(leastUs, greatestUs, corner.y() + HEIGHT - BOTTOM, corner.y() + TOP);
    }

    void draw(Results results, String jdk) {
        drawGrid();
        drawTitles("JDK " + jdk);
        GrowthLine.all().forEach(line -> drawLine(line, results, jdk));
    }

    private void drawGrid() {
        for (double threads : sizes) {
            double x = across.place(threads);
            svg.line("grid", new Svg.Point(x, up.from()), new Svg.Point(x, up.to()));
            svg.text("", new Svg.Point(x, up.from() + 18), Svg.Anchor.MIDDLE, Figure.count((long) threads));
        }
        for (double us : up.decades()) {
            double y = up.place(us);
            svg.line("grid", new Svg.Point(across.from(), y), new Svg.Point(across.to(), y));
            svg.text("", new Svg.Point(across.from() - LABEL_GAP, y + 4), Svg.Anchor.END, duration(us));
        }
        Svg.Point upperLeft = new Svg.Point(across.from(), up.to());
        svg.rectangle("frame", upperLeft, across.to() - across.from(), up.from() - up.to());
    }

    private void drawTitles(String title) {
        double middle = (across.from() + across.to()) / 2;
        svg.text("title", new Svg.Point(middle, up.to() - 10), Svg.Anchor.MIDDLE, title);
        svg.text("", new Svg.Point(middle, up.from() + 36), Svg.Anchor.MIDDLE, "threads in the array");
        svg.uprightText("", new Svg.Point(corner.x() + 12, (up.from() + up.to()) / 2), "time of one call");
    }

    private void drawLine(GrowthLine line, Results results, String jdk) {
        svg.path(
                line.kind(),
                sizes.stream()
                        .map(threads -> point(threads, line.us(results, jdk, threads)))
                        .toList());
        for (double threads : sizes) {
            double us = line.us(results, jdk, threads);
            svg.dot(line.kind(), point(threads, us), line.hint(us, threads));
        }
    }

    private Svg.Point point(double threads, double us) {
        return new Svg.Point(across.place(threads), up.place(us));
    }

    private static String duration(double us) {
        return us < US_PER_MS ? format(us) + " µs" : format(us / US_PER_MS) + " ms";
    }

    private static String format(double figure) {
        return String.format(Locale.ROOT, figure < 1 ? "%.1f" : "%.0f", figure);
    }
}
