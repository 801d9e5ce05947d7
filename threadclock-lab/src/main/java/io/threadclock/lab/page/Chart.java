// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import java.util.Comparator;
import java.util.List;

/**
 * What the page's script draws; its components are the names by which the script knows them.
 *
 * @param title of what
 * @param summary what a reader is told who cannot see it
 * @param xTitle what its horizontal axis counts
 * @param xs places of the points on the horizontal axis, ascending; only their proportions matter
 * @param xNames of each of these, for the reader who points at it
 * @param xTicks places with a name on the axis
 * @param yTicks amounts with a line across; the axis is logarithmic
 */
record Chart(
        String title,
        String summary,
        String xTitle,
        String unit,
        List<Double> xs,
        List<String> xNames,
        List<Tick> xTicks,
        LogScale yScale,
        List<Double> yTicks,
        List<Line> lines) {
    /** More lines than these are a tangle. */
    private static final int MOST_LINES_SHOWN = 8;

    record Tick(double at, String name) {}

    /**
     * @param shown at first; the reader may change that
     * @param amounts one for each place, null where there is none
     * @param least the lower ends of their spreads; null if none are known
     * @param most the upper ends
     */
    record Line(
            String name,
            LineStyle style,
            boolean shown,
            List<Double> amounts,
            List<Double> least,
            List<Double> most) {
        Line(String name, LineStyle style, List<Double> amounts, List<Double> least, List<Double> most) {
            this(name, style, true, amounts, least, most);
        }

        private Line shown(boolean shown) {
            return new Line(name, style, shown, amounts, least, most);
        }
    }

    /** The same lines in the same order, those of the greatest rank hidden where there are too many. */
    static List<Line> uncrowded(List<Line> lines) {
        List<Line> shown = lines.stream()
                .sorted(Comparator.comparingInt(line -> line.style().rank()))
                .limit(MOST_LINES_SHOWN)
                .filter(line -> lines.size() <= MOST_LINES_SHOWN || line.style().rank() < 2)
                .toList();
        return lines.stream().map(line -> line.shown(shown.contains(line))).toList();
    }
}
