// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.report.Errors.ErrorWindow;
import io.threadclock.lab.report.SvgChart.Line;
import io.threadclock.lab.report.SvgChart.LogAxis;
import io.threadclock.lab.report.SvgChart.Panel;
import io.threadclock.lab.report.SvgChart.Point;
import io.threadclock.lab.report.SvgChart.Tick;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Results;
import java.util.List;
import java.util.Locale;

/** The mean absolute errors of user time over windows of one length: a row for each workload, a dot for each reader. */
record ErrorChart(Errors errors, ErrorWindow window) {
    private static final int ROW = 24;
    private static final int TOP = 12;
    private static final int BOTTOM = 48;

    /** Smaller errors stand at the edge: nobody decides by them. */
    private static final double LEAST_POINTS = 0.1;

    private static final LogAxis ACROSS = new LogAxis(LEAST_POINTS, 1000);

    ErrorChart(Results results, ErrorWindow window) {
        this(new Errors(results, window.over()), window);
    }

    boolean isEmpty() {
        return errors.all().stream()
                .noneMatch(error -> error.subject().quantity().equals(Errors.USER));
    }

    String title() {
        return "Error of user time " + window.words();
    }

    /** The name of the file in docs. */
    String name() {
        return "accuracy-" + window.over() + ".svg";
    }

    String toSvg() {
        List<String> workloads = errors.workloads();
        List<Line> lines = errors.readers().stream().map(this::line).toList();
        Panel panel = new Panel(
                "",
                "mean absolute error, percentage points of the CPU time",
                "",
                ACROSS.decades().stream()
                        .map(points -> new Tick(ACROSS.place(points), label(points)))
                        .toList(),
                workloads.stream()
                        .map(workload -> new Tick(row(workload), workload))
                        .toList(),
                lines);
        int height = TOP + workloads.size() * ROW + BOTTOM;
        return new SvgChart(
                        title(),
                        title() + ", by workload and reader: mean absolute error in percentage points",
                        lines,
                        1,
                        new SvgChart.Size(760, height, 150, 24, TOP, BOTTOM, 110),
                        List.of(panel))
                .toSvg();
    }

    private Line line(String reader) {
        List<Point> points = errors.workloads().stream()
                .flatMap(workload -> errors
                        .find(workload, reader, Errors.USER, Measurement.MEAN)
                        .map(amount -> new Point(
                                ACROSS.place(amount),
                                row(workload),
                                reader + ", " + workload + ": " + AccuracyTables.figure(amount)))
                        .stream())
                .toList();
        return new Line(reader, reader, false, points);
    }

    /** The first at the top. */
    private double row(String workload) {
        List<String> workloads = errors.workloads();
        return 1 - (workloads.indexOf(workload) + 0.5) / workloads.size();
    }

    private static String label(double points) {
        String label = String.format(Locale.ROOT, points < 1 ? "%.1f" : "%.0f", points);
        return points <= LEAST_POINTS ? "≤ " + label : label;
    }
}
