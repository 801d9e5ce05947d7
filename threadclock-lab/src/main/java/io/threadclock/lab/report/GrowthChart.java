// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.report.SvgChart.Line;
import io.threadclock.lab.report.SvgChart.LogAxis;
import io.threadclock.lab.report.SvgChart.Panel;
import io.threadclock.lab.report.SvgChart.Point;
import io.threadclock.lab.report.SvgChart.Tick;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** How long one call for the times of many threads takes, over their number: the oldest JDK, and the newest that parses /proc. */
final class GrowthChart {
    private static final SvgChart.Size SIZE = new SvgChart.Size(400, 340, 72, 16, 28, 48, 182);
    private static final List<String> QUANTITIES = List.of("user time", "CPU time");
    private static final List<String> CONTENDERS = List.of(Contest.STOCK, Contest.AGENTPATH);
    private static final double NS_PER_US = 1000;

    /** Room for the half of a label on either side. */
    private static final double BEYOND_SIZES = 1.4;

    private final Results results;
    private final List<String> jdks;
    private final List<Double> sizes;

    GrowthChart(Results results) {
        this.results = results;
        List<String> all = results.each(Benchmarks.ARRAY, Subject::jdk);
        this.jdks = Stream.of(all.get(0), SummaryTable.newestWithProc(all).orElse(all.get(all.size() - 1)))
                .distinct()
                .toList();
        this.sizes = results.each(Benchmarks.ARRAY, Subject::parameter);
    }

    String toSvg() {
        DoubleSummaryStatistics us = jdks.stream()
                .flatMap(jdk -> QUANTITIES.stream().flatMap(quantity -> CONTENDERS.stream()
                        .flatMap(contender -> sizes.stream().map(size -> us(jdk, quantity, contender, size)))))
                .mapToDouble(each -> each)
                .summaryStatistics();
        LogAxis across = new LogAxis(sizes.get(0) / BEYOND_SIZES, sizes.get(sizes.size() - 1) * BEYOND_SIZES);
        LogAxis up = LogAxis.aroundDecades(us.getMin(), us.getMax());
        List<Panel> panels = jdks.stream().map(jdk -> panel(jdk, across, up)).toList();
        return new SvgChart(
                        "One call for the times of many threads",
                        "How long one call for the times of many threads takes, stock and with threadclock",
                        lines("", across, up),
                        2,
                        SIZE,
                        panels)
                .toSvg();
    }

    private Panel panel(String jdk, LogAxis across, LogAxis up) {
        return new Panel(
                "JDK " + jdk,
                "threads in the array",
                "time of one call",
                sizes.stream()
                        .map(size -> new Tick(across.place(size), Figure.count(size.longValue())))
                        .toList(),
                up.decades().stream()
                        .map(us -> new Tick(up.place(us), duration(us)))
                        .toList(),
                lines(jdk, across, up));
    }

    /** Without points for no JDK. */
    private List<Line> lines(String jdk, LogAxis across, LogAxis up) {
        return QUANTITIES.stream()
                .flatMap(quantity -> CONTENDERS.stream().map(contender -> line(jdk, quantity, contender, across, up)))
                .toList();
    }

    private Line line(String jdk, String quantity, String contender, LogAxis across, LogAxis up) {
        boolean isStock = contender.equals(Contest.STOCK);
        String name = quantity + ", " + (isStock ? "stock" : "threadclock");
        String kind = (isStock ? "stock" : "agent") + (quantity.equals("CPU time") ? " cpu" : "");
        Stream<Double> measured = jdk.isEmpty() ? Stream.of() : sizes.stream();
        List<Point> points = measured.map(size -> {
                    double us = us(jdk, quantity, contender, size);
                    String hint = name + ", " + Figure.count(size.longValue()) + " threads: " + Figure.ns(us) + " µs";
                    return new Point(across.place(size), up.place(us), hint);
                })
                .toList();
        return new Line(name, kind, true, points);
    }

    /** Median of one call. */
    private double us(String jdk, String quantity, String contender, double threads) {
        Contest contest = new Contest(results, Benchmarks.ARRAY, jdk, quantity, threads);
        return contest.spread(contender).median() * threads / NS_PER_US;
    }

    private static String duration(double us) {
        boolean isShort = us < 1000;
        double figure = isShort ? us : us / 1000;
        return String.format(Locale.ROOT, figure < 1 ? "%.1f" : "%.0f", figure) + (isShort ? " µs" : " ms");
    }
}
