// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One benchmark: its charts, then its tables, a JDK beside the other where there is room. */
final class BenchmarkSection {
    /** A table with more rows is folded where a chart shows the same. */
    private static final int UNFOLDED_ROWS = 12;

    private final Question question;
    private final Figures figures;

    BenchmarkSection(Question question, Figures figures) {
        this.question = question;
        this.figures = figures;
    }

    void write(Html html, Charts charts) {
        html.open("section", "id", question.anchor());
        html.element("h2", question.title());
        if (!question.explanation().isEmpty()) {
            html.element("p", question.explanation(), "class", "explanation");
        }
        Map<String, List<Series>> series = series();
        Map<Subject, List<Distribution>> distributions = comparable();
        boolean growthIsDrawn = writeGrowth(html, charts, series);
        boolean percentilesAreDrawn = writePercentiles(html, charts, distributions);
        writeTables(html, figureTables(series), growthIsDrawn);
        writeTables(html, percentileTables(distributions), percentilesAreDrawn);
        html.close("section");
    }

    private Map<String, List<Series>> series() {
        Map<String, List<Series>> byJdk = new LinkedHashMap<>();
        List<Series> all = figures.seriesOf(question.benchmark());
        for (String jdk : figures.jdks()) {
            byJdk.put(jdk, all.stream().filter(one -> one.subject().jdk().equals(jdk)).toList());
        }
        byJdk.values().removeIf(List::isEmpty);
        return byJdk;
    }

    private List<PageTable> figureTables(Map<String, List<Series>> byJdk) {
        List<PageTable> tables = new ArrayList<>();
        byJdk.forEach((jdk, series) -> tables.add(new FigureTable(question, series).table(caption(jdk))));
        return tables;
    }

    private List<PageTable> percentileTables(Map<Subject, List<Distribution>> comparable) {
        List<PageTable> tables = new ArrayList<>();
        comparable.forEach((subject, distributions) ->
                tables.add(new PercentileTable(question, distributions).table(caption(subject))));
        return tables;
    }

    /** @return whether anything was drawn */
    private boolean writeGrowth(Html html, Charts charts, Map<String, List<Series>> byJdk) {
        Map<String, GrowthChart> growth = new LinkedHashMap<>();
        byJdk.forEach((jdk, series) -> growth.put(caption(jdk), new GrowthChart(question, series)));
        growth.values().removeIf(chart -> !chart.isDrawable());
        LogScale scale = LogScale.around(growth.values().stream().flatMapToDouble(GrowthChart::amounts));
        html.open("div", "class", "charts");
        growth.forEach((title, chart) -> charts.write(html, chart.chart(title, scale)));
        html.close("div");
        return !growth.isEmpty();
    }

    /** @return whether anything was drawn */
    private boolean writePercentiles(Html html, Charts charts, Map<Subject, List<Distribution>> comparable) {
        Map<Subject, PercentileChart> drawn = new LinkedHashMap<>();
        comparable.forEach((subject, distributions) -> drawn.put(subject, new PercentileChart(distributions)));
        drawn.values().removeIf(chart -> !chart.isDrawable());
        html.open("div", "class", "charts");
        drawn.forEach((subject, chart) -> charts.write(html, chart.chart(caption(subject), scale(drawn, subject))));
        html.close("div");
        return !drawn.isEmpty();
    }

    /** The same for all JDKs, but not for all numbers of threads: those do not stand beside one another. */
    private static LogScale scale(Map<Subject, PercentileChart> drawn, Subject subject) {
        return LogScale.around(drawn.entrySet().stream()
                .filter(one -> Objects.equals(one.getKey().parameter(), subject.parameter()))
                .flatMapToDouble(one -> one.getValue().amounts()));
    }

    /** What was measured by the same number of threads on the same JDK, by a subject of these two; JDKs in a row. */
    private Map<Subject, List<Distribution>> comparable() {
        List<String> jdks = figures.jdks();
        Comparator<Subject> order = Comparator.comparing(
                        Subject::parameter, Comparator.nullsFirst(Comparator.<Double>naturalOrder()))
                .thenComparingInt(subject -> jdks.indexOf(subject.jdk()));
        return figures.distributionsOf(question.benchmark()).stream()
                .collect(Collectors.groupingBy(
                        one -> new Subject("", one.subject().jdk(), "", "", one.subject().parameter()),
                        () -> new TreeMap<>(order),
                        Collectors.toList()));
    }

    private String caption(Subject subject) {
        String jdk = caption(subject.jdk());
        return subject.parameter() == null ? jdk : jdk + ", " + question.counted(subject.parameter());
    }

    private static String caption(String jdk) {
        return jdk.isEmpty() ? "C" : "JDK " + jdk;
    }

    private static void writeTables(Html html, List<PageTable> tables, boolean drawn) {
        if (tables.isEmpty()) {
            return;
        }
        boolean folded = drawn && tables.stream().anyMatch(table -> table.size() > UNFOLDED_ROWS);
        if (folded) {
            html.open("details").element("summary", "All figures");
        }
        PageTable.writeSideBySide(html, tables);
        if (folded) {
            html.close("details");
        }
    }
}
