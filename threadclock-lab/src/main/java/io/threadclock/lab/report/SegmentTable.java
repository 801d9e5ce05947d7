// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;
import static io.threadclock.lab.report.Table.words;

import io.threadclock.lab.question.SegmentAccuracy;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How far the accounts of virtual threads are from the kernel's clock, and what is promised of that. */
public record SegmentTable(Results results) {
    private static final double MOST_ERROR_NS = 500;
    private static final double MOST_UNCONSERVED_PERCENT = 0.1;
    private static final double NS_PER_US = 1000;

    boolean isEmpty() {
        return results.of(Benchmarks.SEGMENTS).isEmpty();
    }

    /** @param home the checkout */
    public Documents documents(Path home) {
        String origin = BenchReport.origin(results.origin()) + "\n\n";
        String worst = results.each(Benchmarks.SEGMENTS, Subject::jdk).stream()
                .map(this::worst)
                .collect(Collectors.joining());
        return new Documents(home)
                .block("docs/virtual-threads.md", "segments", origin + worst)
                .block(BenchReport.KEPT + "accuracy-virtual.md", "segments:tables", origin + table().toMarkdown());
    }

    /** In one line. */
    private String worst(String jdk) {
        List<String> loads = results.of(Benchmarks.SEGMENTS, jdk).stream()
                .map(each -> each.subject().workload())
                .distinct()
                .toList();
        return "- JDK " + jdk + ", " + loads.size() + " ways to leave a carrier: error "
                + Figure.count((long) worst(
                        loads, load -> of(jdk, load, SegmentAccuracy.ERROR).at(99)))
                + " ns at p99, at most "
                + Figure.plain(worst(loads, load -> of(jdk, load, SegmentAccuracy.ERROR)
                                .at(100))
                        / NS_PER_US)
                + " µs; conservation within " + Figure.plain(worst(loads, load -> unconservedPercent(jdk, load)))
                + " % beyond what the kernel's readings leave open.\n";
    }

    private static double worst(List<String> loads, ToDoubleFunction<String> figure) {
        return loads.stream().mapToDouble(figure).max().orElseThrow();
    }

    Table table() {
        Table table = new Table(
                "CPU time of a virtual thread's segments, by its account, against its carrier's clock",
                words("JDK"),
                words("the thread works, and then does this"),
                number("segments"),
                number("mean, µs"),
                number("error, p99, ns"),
                number("greatest, µs"),
                number("from the middle, median, ns"),
                number("readings apart, median, ns"),
                number("conservation"));
        results.each(Benchmarks.SEGMENTS, subject -> List.of(subject.jdk(), subject.workload()))
                .forEach(each -> addRow(table, each.get(0), each.get(1)));
        return table.note(
                        "The kernel's clock is read twice at each end of a segment, before and after the account's own reading. "
                                + "The error is how far the account is beyond these readings, less what the hypervisor took meanwhile. "
                                + "The next two columns tell how far it is from their middle, and how far they are apart.")
                .note(
                        "Conservation: by how much all accounts and the carriers' time between segments differ from the carriers' CPU "
                                + "time, ± what the distance of the kernel's readings leaves open. Promised: errors of at most "
                                + Figure.count((long) MOST_ERROR_NS) + " ns at p99, and conservation within "
                                + MOST_UNCONSERVED_PERCENT
                                + " % beyond the ±.");
    }

    private void addRow(Table table, String jdk, String load) {
        Measurement segment = of(jdk, load, SegmentAccuracy.SEGMENT);
        Measurement error = of(jdk, load, SegmentAccuracy.ERROR);
        table.row(
                jdk,
                load,
                Figure.count(segment.samples()),
                Figure.count(Math.round(segment.mean() / NS_PER_US)),
                Figure.count((long) error.at(99)),
                Figure.plain(error.at(100) / NS_PER_US),
                Figure.count((long) of(jdk, load, SegmentAccuracy.FROM_MIDDLE).at(50)),
                Figure.count((long) of(jdk, load, SegmentAccuracy.APART).at(50)),
                conservation(jdk, load));
    }

    /** The promises that do not hold, one per line. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        results.each(Benchmarks.SEGMENTS, subject -> List.of(subject.jdk(), subject.workload()))
                .forEach(each -> complaints(each.get(0), each.get(1)).forEach(complaints::add));
        return complaints;
    }

    private Stream<String> complaints(String jdk, String load) {
        String name = "JDK " + jdk + ", " + load + ": ";
        double errorNs = of(jdk, load, SegmentAccuracy.ERROR).at(99);
        double unconserved = unconservedPercent(jdk, load);
        Stream<String> error = errorNs <= MOST_ERROR_NS
                ? Stream.of()
                : Stream.of(name + "error of a segment at p99 ≤ " + Figure.count((long) MOST_ERROR_NS) + " ns, but was "
                        + Figure.count((long) errorNs));
        Stream<String> conservation = unconserved <= MOST_UNCONSERVED_PERCENT
                ? Stream.of()
                : Stream.of(name + "conservation within " + MOST_UNCONSERVED_PERCENT + " %, but was "
                        + Figure.plain(unconserved));
        return Stream.concat(error, conservation);
    }

    private String conservation(String jdk, String load) {
        Measurement percent = of(jdk, load, SegmentAccuracy.CONSERVATION);
        return String.format(
                Locale.ROOT,
                "%+.3f ± %.3f %%",
                percent.mean(),
                percent.statistics().get(SegmentAccuracy.SPREAD));
    }

    /** The part of an error that is certain. */
    private double unconservedPercent(String jdk, String load) {
        Measurement percent = of(jdk, load, SegmentAccuracy.CONSERVATION);
        return Math.max(0, Math.abs(percent.mean()) - percent.statistics().get(SegmentAccuracy.SPREAD));
    }

    private Measurement of(String jdk, String load, String quantity) {
        return results.find(new Subject(Benchmarks.SEGMENTS, jdk, Contest.ACCOUNT, quantity, null, load))
                .orElseThrow(() -> new IllegalArgumentException("not measured: " + quantity + " of " + load));
    }
}
