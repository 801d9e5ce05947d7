// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;
import static io.threadclock.lab.report.Table.words;

import io.threadclock.lab.question.Requests;
import io.threadclock.lab.report.SvgChart.Bar;
import io.threadclock.lab.report.SvgChart.Line;
import io.threadclock.lab.report.SvgChart.Panel;
import io.threadclock.lab.report.SvgChart.Tick;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Where the wall time of requests goes: a bar for each kind of request, as long as the mean request took. */
public record RequestsReport(Results results) {
    private static final SvgChart.Size SIZE = new SvgChart.Size(760, 220, 72, 24, 8, 48, 165);
    private static final int TICKS = 5;
    private static final String IMAGE = "requests.svg";

    /** For the terminal. */
    public String toText() {
        return "\n" + table().toText() + origin() + "\n";
    }

    /** @param home the checkout */
    public Documents documents(Path home) {
        String picture =
                "![Where the time of requests goes: user, system, waiting for a CPU, not running](" + IMAGE + ")";
        return new Documents(home)
                .file("docs/" + IMAGE, toSvg())
                .block("docs/account.md", "requests", picture + "\n\n" + table().toMarkdown() + origin() + "\n");
    }

    private String origin() {
        return "Measured by `" + results.origin().command() + "` on "
                + results.origin().describe()
                + "; load average before: " + results.origin().loadBefore() + ".";
    }

    private Table table() {
        Table table = new Table(
                "A request in a small server under load, mean ms",
                words("request"),
                number("user"),
                number("system"),
                number("waiting for a CPU"),
                number("not running"),
                number("wall"));
        for (String request : requests()) {
            List<String> row = new ArrayList<>(List.of(request));
            Requests.PARTS.forEach(part -> row.add(Figure.plain(ms(request, part))));
            row.add(Figure.plain(wallMs(request)));
            table.row(row);
        }
        return table;
    }

    String toSvg() {
        double longestMs = requests().stream().mapToDouble(this::wallMs).max().orElseThrow();
        double stepMs = step(longestMs / TICKS);
        double axisMs = stepMs * Math.ceil(longestMs / stepMs);
        List<Tick> across = IntStream.rangeClosed(0, (int) Math.round(axisMs / stepMs))
                .mapToObj(i -> new Tick(i * stepMs / axisMs, Figure.plain(i * stepMs)))
                .toList();
        List<Tick> names = new ArrayList<>();
        List<Bar> bars = new ArrayList<>();
        for (int i = 0; i < requests().size(); i++) {
            String request = requests().get(i);
            double y = 1 - (i + 0.5) / requests().size();
            names.add(new Tick(y, request));
            double beginMs = 0;
            for (String part : Requests.PARTS) {
                double endMs = beginMs + ms(request, part);
                String hint = request + ", " + name(part) + ": " + Figure.plain(endMs - beginMs) + " ms";
                bars.add(new Bar(kind(part), beginMs / axisMs, endMs / axisMs, y, hint));
                beginMs = endMs;
            }
        }
        return new SvgChart(
                        "Where the time of a request goes, in a small server under load",
                        "How long requests of each kind ran in their own code and in the kernel, waited for a CPU, and did "
                                + "not run",
                        Requests.PARTS.stream()
                                .map(part -> new Line(name(part), kind(part) + " bar", true, List.of()))
                                .toList(),
                        1,
                        SIZE,
                        List.of(new Panel("", "ms, mean of the requests", "", across, names, List.of(), bars)))
                .toSvg();
    }

    /** 1, 2 or 5 times a power of ten, at least as much. */
    private static double step(double least) {
        double decade = Math.pow(10, Math.floor(Math.log10(least)));
        return IntStream.of(1, 2, 5, 10)
                .mapToDouble(times -> times * decade)
                .filter(step -> step >= least)
                .findFirst()
                .orElseThrow();
    }

    private static String name(String part) {
        return switch (part) {
            case Requests.USER -> "user time";
            case Requests.SYSTEM -> "system time";
            case Requests.RUN_DELAY -> "waiting for a CPU";
            default -> part;
        };
    }

    /** Its class in the style sheet. */
    private static String kind(String part) {
        return part.replace(' ', '-');
    }

    private List<String> requests() {
        return results.each(Benchmarks.REQUESTS, Subject::contender);
    }

    private double wallMs(String request) {
        return Requests.PARTS.stream().mapToDouble(part -> ms(request, part)).sum();
    }

    private double ms(String request, String part) {
        String jdk = results.each(Benchmarks.REQUESTS, Subject::jdk).get(0);
        Subject subject = new Subject(Benchmarks.REQUESTS, jdk, request, part, null);
        return results.find(subject).orElseThrow().spread().median();
    }
}
