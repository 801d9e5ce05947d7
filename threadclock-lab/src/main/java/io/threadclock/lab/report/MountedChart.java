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
import java.util.List;

/** Draws the cost of a unit of work in a virtual thread, by its account and by wall time, over the number of busy carriers. */
final class MountedChart {
    private static final SvgChart.Size SIZE = new SvgChart.Size(560, 300, 72, 16, 28, 48, 200);
    private static final List<String> CLOCKS = List.of(Contest.MOUNTED, Contest.ACCOUNT);
    private static final double MARGIN = 1.2;

    private final Results results;
    private final List<Double> carriers;

    MountedChart(Results results) {
        this.results = results;
        this.carriers = results.each(Benchmarks.MOUNTED, Subject::parameter).stream()
                .sorted()
                .toList();
    }

    String toSvg() {
        List<String> jdks = results.each(Benchmarks.MOUNTED, Subject::jdk);
        String jdk = SummaryTable.newestWithProc(jdks).orElse(jdks.get(jdks.size() - 1));
        List<Double> figures = CLOCKS.stream()
                .flatMap(clock -> carriers.stream().map(each -> ratio(jdk, clock, each)))
                .sorted()
                .toList();
        LogAxis across = new LogAxis(carriers.get(0) / MARGIN, carriers.get(carriers.size() - 1) * MARGIN);
        LogAxis up = new LogAxis(figures.get(0) / MARGIN, figures.get(figures.size() - 1) * MARGIN);
        return new SvgChart(
                        "CPU time of a unit of work in a virtual thread",
                        "What a unit of work in a virtual thread has cost by its account, and by the wall time for which it was "
                                + "mounted, relative to what the kernel has charged the carriers",
                        CLOCKS.stream()
                                .map(clock -> new Line(clock, kind(clock), true, List.of()))
                                .toList(),
                        1,
                        SIZE,
                        List.of(panel(jdk, across, up)))
                .toSvg();
    }

    private Panel panel(String jdk, LogAxis across, LogAxis up) {
        return new Panel(
                "JDK " + jdk,
                "busy carriers per CPU",
                "reported ÷ used",
                ticks(across),
                ticks(up),
                CLOCKS.stream().map(clock -> line(jdk, clock, across, up)).toList());
    }

    /** Both axes count carriers per CPU: wall time is so many times too long. */
    private List<Tick> ticks(LogAxis axis) {
        return carriers.stream()
                .map(each -> new Tick(axis.place(each), Figure.count(each.longValue())))
                .toList();
    }

    private Line line(String jdk, String clock, LogAxis across, LogAxis up) {
        List<Point> points = carriers.stream()
                .map(each -> {
                    double ratio = ratio(jdk, clock, each);
                    String hint = clock + ", " + Figure.count(each.longValue()) + " busy carriers per CPU: "
                            + Figure.plain(ratio) + " of the CPU time used";
                    return new Point(across.place(each), up.place(ratio), hint);
                })
                .toList();
        return new Line(clock, kind(clock), true, points);
    }

    private double ratio(String jdk, String clock, double carriersPerCpu) {
        Contest contest = new Contest(results, Benchmarks.MOUNTED, jdk, "unit of work", carriersPerCpu);
        return contest.of(clock).ratioTo(contest.of(Contest.CARRIERS)).median();
    }

    private static String kind(String clock) {
        return clock.equals(Contest.ACCOUNT) ? "agent" : "stock";
    }
}
