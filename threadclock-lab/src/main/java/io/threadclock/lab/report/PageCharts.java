// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All charts of the page: the places where the script draws them by uPlot, and what it draws. */
final class PageCharts {
    /** More lines than these are a tangle. */
    private static final int MOST_LINES_SHOWN = 8;

    private static final int FEWEST_POINTS = 3;
    private static final List<Double> NAMED = List.of(50.0, 90.0, 99.0, 99.9, 99.99, 99.999, 99.9999);

    /** The greatest sample has no place on a scale of nines; it stands beyond the last. */
    private static final double MAX = 100;

    private static final double BEYOND = 0.75;

    private final List<Chart> charts = new ArrayList<>();

    /**
     * One chart; its components are the names by which the script knows them.
     *
     * @param summary what a reader is told who cannot see it
     * @param xs places of the points on the horizontal axis, ascending; only their proportions matter
     * @param xNames of each of these, for the reader who points at it
     * @param xTicks places with a name on the axis
     * @param least the least amount on the vertical axis, which is logarithmic
     * @param most the greatest
     */
    record Chart(
            String title,
            String summary,
            String xTitle,
            String unit,
            List<Double> xs,
            List<String> xNames,
            List<Tick> xTicks,
            double least,
            double most,
            List<Line> lines) {
        private Chart within(double least, double most) {
            return new Chart(title, summary, xTitle, unit, xs, xNames, xTicks, least, most, lines);
        }
    }

    record Tick(double at, String name) {}

    /**
     * @param shown at first; the reader may change that
     * @param amounts one for each place, null where there is none
     * @param least the lower ends of their spreads; null if none are known
     * @param most the upper ends
     */
    record Line(
            String name, LineStyle style, boolean shown, List<Double> amounts, List<Double> least, List<Double> most) {}

    /** How a figure grows with its parameter on one JDK: medians, with their spreads. None where nothing can grow. */
    static Optional<Chart> growth(String title, List<Measurement> all) {
        List<Measurement> series = all.stream()
                .filter(one -> one.hasRounds() && one.subject().parameter() != null)
                .toList();
        List<Double> parameters = series.stream()
                .map(one -> one.subject().parameter())
                .distinct()
                .sorted()
                .toList();
        List<Line> lines = new ArrayList<>();
        names(series.stream().map(Measurement::subject).toList()).forEach((subjects, name) -> {
            List<Measurement> points = series.stream()
                    .filter(one -> subjects.contains(one.subject()))
                    .toList();
            LineStyle style = style(points.get(0).subject());
            lines.add(new Line(
                    name,
                    style,
                    true,
                    each(parameters, points, Spread::median),
                    each(parameters, points, Spread::least),
                    each(parameters, points, Spread::greatest)));
        });
        if (parameters.size() < FEWEST_POINTS) {
            return Optional.empty();
        }
        String unit = series.get(0).unit();
        String benchmark = series.get(0).subject().benchmark();
        List<String> counted = parameters.stream()
                .map(parameter -> counted(benchmark, parameter))
                .toList();
        String ends = lines.stream()
                .map(line -> line.name + " from " + first(line.amounts, unit) + " to " + last(line.amounts, unit))
                .collect(Collectors.joining("; "));
        return chart(new Chart(
                title,
                title + ", from " + counted.get(0) + " to " + counted.get(counted.size() - 1) + ": " + ends + ".",
                noun(benchmark),
                unit,
                parameters.stream().map(PageCharts::doublings).toList(),
                counted,
                parameters.stream()
                        .map(each -> new Tick(doublings(each), Figure.count(each.longValue())))
                        .toList(),
                0,
                0,
                lines));
    }

    /** Latency by percentile on one JDK, on a scale of nines: from 90 to 99 it is as far as from 99 to 99.9. */
    static Optional<Chart> percentiles(String title, List<Measurement> distributions) {
        SortedSet<Double> percentiles = new TreeSet<>();
        distributions.forEach(one -> percentiles.addAll(one.percentiles().keySet()));
        if (percentiles.size() < 2) {
            return Optional.empty();
        }
        Map<List<Subject>, String> names =
                names(distributions.stream().map(Measurement::subject).toList());
        List<Line> lines = new ArrayList<>();
        List<String> words = new ArrayList<>();
        for (Measurement one : distributions) {
            String name = names.get(List.of(one.subject()));
            // Not by a stream: a place may have no amount.
            List<Double> amounts = new ArrayList<>();
            percentiles.forEach(percentile -> amounts.add(one.percentiles().get(percentile)));
            lines.add(new Line(name, style(one.subject()), true, amounts, null, null));
            words.add(name + " "
                    + Stream.of(50.0, 99.0, MAX)
                            .filter(one.percentiles()::containsKey)
                            .map(each -> Measurement.percentile(each) + " " + Figure.withUnit(one.at(each), one.unit()))
                            .collect(Collectors.joining(", ")));
        }
        List<Tick> ticks = percentiles.stream()
                .filter(percentile -> NAMED.contains(percentile) || percentile == MAX)
                .map(percentile -> new Tick(
                        nines(percentile, percentiles),
                        percentile == MAX
                                ? "max"
                                : Measurement.percentile(percentile).substring(1)))
                .toList();
        return chart(new Chart(
                title,
                title + ": " + String.join("; ", words) + ".",
                "percentile",
                distributions.get(0).unit(),
                percentiles.stream()
                        .map(percentile -> nines(percentile, percentiles))
                        .toList(),
                percentiles.stream().map(Measurement::percentile).toList(),
                ticks,
                0,
                0,
                lines));
    }

    /** With the bounds of what is positive in it, and its less telling lines hidden; none if nothing is. */
    private static Optional<Chart> chart(Chart chart) {
        List<Double> positive = chart.lines.stream()
                .flatMap(line -> Stream.of(line.amounts, line.least, line.most))
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .filter(amount -> amount != null && amount > 0)
                .toList();
        List<Line> shown = chart.lines.stream()
                .sorted(Comparator.comparingInt(line -> line.style.rank()))
                .limit(MOST_LINES_SHOWN)
                .filter(line -> chart.lines.size() <= MOST_LINES_SHOWN || line.style.rank() < 2)
                .toList();
        List<Line> lines = chart.lines.stream()
                .map(line -> new Line(line.name, line.style, shown.contains(line), line.amounts, line.least, line.most))
                .toList();
        return positive.isEmpty()
                ? Optional.empty()
                : Optional.of(new Chart(
                        chart.title,
                        chart.summary,
                        chart.xTitle,
                        chart.unit,
                        chart.xs,
                        chart.xNames,
                        chart.xTicks,
                        Collections.min(positive),
                        Collections.max(positive),
                        lines));
    }

    /** The subjects that differ in the parameter alone, by their line's name: with the quantity only where it must be. */
    private static Map<List<Subject>, String> names(List<Subject> subjects) {
        Map<List<Subject>, String> names = new LinkedHashMap<>();
        Map<List<String>, List<Subject>> lines = subjects.stream()
                .collect(Collectors.groupingBy(
                        subject -> List.of(subject.contender(), subject.quantity()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        lines.forEach((line, members) -> {
            boolean twice = lines.keySet().stream()
                            .filter(each -> each.get(0).equals(line.get(0)))
                            .count()
                    > 1;
            names.put(members, twice ? line.get(0) + ", " + line.get(1) : line.get(0));
        });
        return names;
    }

    private static LineStyle style(Subject subject) {
        return LineStyle.of(subject.contender(), subject.quantity());
    }

    private static List<Double> each(List<Double> parameters, List<Measurement> points, ToDoubleFunction<Spread> end) {
        List<Double> amounts = new ArrayList<>();
        for (Double parameter : parameters) {
            amounts.add(points.stream()
                    .filter(point -> point.subject().parameter().equals(parameter))
                    .map(point -> end.applyAsDouble(point.spread()))
                    .findFirst()
                    .orElse(null));
        }
        return amounts;
    }

    private static String first(List<Double> amounts, String unit) {
        return amounts.stream()
                .filter(Objects::nonNull)
                .findFirst()
                .map(amount -> Figure.withUnit(amount, unit))
                .orElse("nothing");
    }

    private static String last(List<Double> amounts, String unit) {
        List<Double> reversed = new ArrayList<>(amounts);
        Collections.reverse(reversed);
        return first(reversed, unit);
    }

    /** Each doubling is as far from the last one. */
    private static double doublings(double parameter) {
        return Math.log(Math.max(parameter, 1)) / Math.log(2);
    }

    private static double nines(double percentile, SortedSet<Double> all) {
        if (percentile < MAX) {
            return Math.log10(MAX) - Math.log10(MAX - percentile);
        }
        SortedSet<Double> below = all.headSet(MAX);
        return below.isEmpty() ? 0 : nines(below.last(), all) + BEYOND;
    }

    private static String noun(String benchmark) {
        return benchmark.equals(Benchmarks.JMH_NESTING) ? "levels" : "threads";
    }

    /** 1,000 threads; 1 thread. */
    static String counted(String benchmark, double parameter) {
        String noun = noun(benchmark);
        return Figure.count((long) parameter) + " " + (parameter == 1 ? noun.substring(0, noun.length() - 1) : noun);
    }

    /** Places for them beside one another, with one scale, so that they can be compared by eye. */
    void write(Html html, List<Chart> alike) {
        if (alike.isEmpty()) {
            return;
        }
        double least = alike.stream().mapToDouble(Chart::least).min().orElseThrow();
        double most = alike.stream().mapToDouble(Chart::most).max().orElseThrow();
        html.open("div", "class", "charts");
        for (Chart chart : alike) {
            html.open("figure", "class", "chart", "data-chart", Integer.toString(charts.size()));
            html.element("figcaption", chart.title());
            html.element("div", "", "class", "plot", "role", "img", "aria-label", chart.summary());
            html.open("div", "class", "legend").close("div").close("figure");
            charts.add(chart.within(least, most));
        }
        html.close("div");
    }

    boolean isEmpty() {
        return charts.isEmpty();
    }

    /** For a script element: no text in it can end that. */
    String json() {
        try {
            return new ObjectMapper()
                    .writeValueAsString(charts)
                    .replace("<", "\\u003c")
                    .replace(">", "\\u003e")
                    .replace("&", "\\u0026");
        } catch (JsonProcessingException failure) {
            throw new IllegalStateException("Writing the charts as JSON failed.", failure);
        }
    }

    /**
     * How a contender's line looks: the same in each chart.
     *
     * @param tone its colour's name in the style sheet
     * @param dash its pattern's name in the script
     * @param rank how soon it is left out of a crowded chart until it is asked for; 0: last
     */
    record LineStyle(String tone, String dash, int rank) {
        private static final int FREE_TONES = 5;
        private static final List<String> IN_FREE_TONES = List.of(
                "source=perf",
                "source=rseq",
                "source=clock",
                "source=ticks",
                "source=proc",
                "PID-0 clock id",
                "own-tid clock id");

        static LineStyle of(String contender, String quantity) {
            String dash = dash(contender, quantity);
            if (quantity.equals("timer")) {
                return new LineStyle("base", contender.startsWith("stock") ? "dotted" : "dashdot", 1);
            }
            if (contender.startsWith("stock")) {
                return new LineStyle("stock", dash, 0);
            }
            if (contender.startsWith("threadclock") || contender.equals("-agentpath")) {
                return new LineStyle("threadclock", dash, 0);
            }
            if (contender.startsWith("library")
                    || contender.equals("attached")
                    || contender.startsWith("ThreadsSnapshot")) {
                int rank = contender.contains("stopwatch") ? 1 : 0;
                return new LineStyle(contender.contains("JNI") ? "jni" : "ffm", dash, rank);
            }
            return switch (contender) {
                case "rdtsc", "off" -> new LineStyle("base", "solid", 0);
                case "System.nanoTime", "nanoTime" -> new LineStyle("base", "dashed", 1);
                case "empty", "timer alone" -> new LineStyle("base", "dotted", 1);
                case "empty JNI call" -> new LineStyle("base", "dashdot", 2);
                default -> new LineStyle(freeTone(contender), dash, 2);
            };
        }

        /** Readers who cannot tell the colours apart can tell these. */
        private static String dash(String contender, String quantity) {
            if (contender.contains("stopwatch")) {
                return "dotted";
            }
            boolean user = contender.contains("user time");
            return contender.contains("CPU time") || !user && quantity.contains("CPU time") ? "dashed" : "solid";
        }

        private static String freeTone(String contender) {
            int known = IN_FREE_TONES.indexOf(contender);
            return "free" + Math.floorMod(known < 0 ? contender.hashCode() : known, FREE_TONES);
        }
    }
}
