// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A drawing, element by element. Text stays text; colours and fonts are the style sheet's, by class. */
final class Svg {
    private final StringBuilder elements = new StringBuilder();
    private final int width;
    private final int height;
    private final String style;

    Svg(int width, int height, String style) {
        this.width = width;
        this.height = height;
        this.style = style;
    }

    /** Horizontal place of a text against its point. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** A point, in pixels from the upper left corner. */
    record Point(double x, double y) {}

    void rectangle(String kind, Point corner, double rectangleWidth, double rectangleHeight) {
        element("<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                kind, corner.x, corner.y, rectangleWidth, rectangleHeight);
    }

    void line(String kind, Point from, Point to) {
        element("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                kind, from.x, from.y, to.x, to.y);
    }

    void path(String kind, List<Point> points) {
        String places = points.stream()
                .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", point.x, point.y))
                .collect(Collectors.joining(" "));
        element("<polyline class=\"%s\" points=\"%s\"/>", kind, places);
    }

    /** With a text that is shown by those who point at it. */
    void dot(String kind, Point centre, String hint) {
        element("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%s</title></circle>",
                kind, centre.x, centre.y, escaped(hint));
    }

    void text(String kind, Point place, Anchor anchor, String text) {
        element("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                kind, place.x, place.y, anchor.name().toLowerCase(Locale.ROOT), escaped(text));
    }

    /** From the bottom to the top. */
    void uprightText(String kind, Point centre, String text) {
        element("<text class=\"%s\" transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                kind, centre.x, centre.y, escaped(text));
    }

    /** @param title what readers of the screen are told */
    String document(String title) {
        String size = "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\"".formatted(width, height, width, height);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " role=\"img\">\n"
                + "<title>" + escaped(title) + "</title>\n<style>\n" + style + "</style>\n" + elements + "</svg>\n";
    }

    private void element(String format, Object... values) {
        elements.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
