// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One benchmark on one JDK: each contender's median, its spread, and how it compares. */
final class FigureTable {
    private final Question question;
    private final List<Series> series;
    private final List<Baseline> baselines;

    /** @param series of one benchmark and JDK, at least one */
    FigureTable(Question question, List<Series> series) {
        this.question = question;
        this.series = series;
        this.baselines = question.baselines().stream()
                .filter(baseline -> series.stream()
                        .anyMatch(one -> baseline.ratio(one, series).isPresent()))
                .toList();
    }

    PageTable table(String caption) {
        Map<String, List<Series>> groups = groups();
        if (groups.size() == 1) {
            String only = Control.is(quantities().get(0)) ? "" : groups.keySet().iterator().next();
            return ungrouped(titled(caption, only), one -> one.subject().contender());
        }
        if (groups.values().stream().allMatch(members -> members.size() == 1)) {
            return ungrouped(titled(caption, common()), this::difference);
        }
        PageTable table = new PageTable(caption, columns());
        groups.forEach((title, members) -> {
            table.group(title);
            members.forEach(one -> table.row(cells(one.subject().contender(), one)));
        });
        return table;
    }

    private PageTable ungrouped(String caption, Function<Series, String> name) {
        PageTable table = new PageTable(caption, columns());
        series.stream().sorted(inOrder()).forEach(one -> table.row(cells(name.apply(one), one)));
        return table;
    }

    private static String titled(String caption, String title) {
        return title.isEmpty() ? caption : caption + ": " + title;
    }

    /** What the figures have in common, where each of them stands alone. */
    private String common() {
        return Stream.of(contenders(), quantities())
                .map(names -> names.size() > 1 ? "" : names.get(0))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private String difference(Series one) {
        Subject subject = one.subject();
        return Stream.of(
                        contenders().size() > 1 ? subject.contender() : "",
                        quantities().size() > 1 ? subject.quantity() : "",
                        subject.parameter() == null ? "" : question.counted(subject.parameter()))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private List<String> contenders() {
        return series.stream().map(one -> one.subject().contender()).distinct().toList();
    }

    private List<String> quantities() {
        return series.stream().map(one -> one.subject().quantity()).distinct().toList();
    }

    /** What is compared with one another stands together: one quantity at one parameter. Controls last. */
    private Map<String, List<Series>> groups() {
        return series.stream()
                .sorted(inOrder())
                .collect(Collectors.groupingBy(this::group, LinkedHashMap::new, Collectors.toList()));
    }

    private Comparator<Series> inOrder() {
        List<String> quantities = quantities();
        return Comparator.comparing(
                Series::subject,
                Comparator.<Subject, Boolean>comparing(subject -> Control.is(subject.quantity()))
                        .thenComparingInt(subject -> quantities.indexOf(subject.quantity()))
                        .thenComparing(Subject::parameter, Comparator.nullsFirst(Comparator.naturalOrder())));
    }

    private String group(Series one) {
        Subject subject = one.subject();
        return Stream.of(
                        Control.title(subject.quantity()),
                        subject.parameter() == null ? "" : question.counted(subject.parameter()),
                        unit().isPresent() ? "" : one.unit())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private List<PageTable.Column> columns() {
        List<PageTable.Column> columns = new ArrayList<>();
        columns.add(PageTable.words(""));
        columns.add(PageTable.amount(question.middleTitle() + unit().map(unit -> ", " + unit).orElse("")));
        columns.add(PageTable.range(question.rangeTitle()));
        for (Baseline baseline : baselines) {
            columns.add(PageTable.amount(baseline.title()));
            columns.add(PageTable.range("least–most"));
        }
        return columns;
    }

    private List<String> cells(String name, Series one) {
        Spread spread = question.summary(one);
        List<String> cells = new ArrayList<>();
        cells.add(name);
        cells.add(Amount.plain(spread.median()));
        cells.add(Amount.range(spread, Amount::plain));
        for (Baseline baseline : baselines) {
            Optional<Spread> ratio = baseline.ratio(one, series);
            cells.add(ratio.map(each -> Figure.ratio(each.median())).orElse(""));
            cells.add(ratio.map(each -> Amount.range(each, Figure::ratio)).orElse(""));
        }
        return cells;
    }

    /** Empty if they differ. */
    private Optional<String> unit() {
        List<String> units = series.stream().map(Series::unit).distinct().toList();
        return units.size() == 1 ? Optional.of(units.get(0)) : Optional.empty();
    }
}
