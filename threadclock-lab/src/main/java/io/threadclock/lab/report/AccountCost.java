// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.harness.Jdk;
import io.threadclock.lab.program.LivesOfThreads.Work;
import io.threadclock.lab.question.ThreadLives;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The cost of the accounts of virtual threads, in one line for each of two JDKs. */
record AccountCost(Results results) {
    private static final int LONG_TERM = 25;

    /** JDK 25, and the newest. */
    String toSentences() {
        List<String> jdks = results.each(Benchmarks.VIRTUAL, Subject::jdk);
        String newest = jdks.get(jdks.size() - 1);
        Stream<String> longTerm = jdks.stream().filter(jdk -> Jdk.featureOf(jdk) == LONG_TERM);
        return Stream.concat(longTerm, Stream.of(newest))
                .distinct()
                .map(this::sentence)
                .collect(Collectors.joining("\n"));
    }

    private String sentence(String jdk) {
        Stream<Optional<String>> figures = Stream.of(
                figure(mount(jdk, Work.YIELD), "a yield takes", "ns"),
                figure(mount(jdk, Work.PARK), "a park and unpark", "ns"),
                figure(mount(jdk, Work.START), "a thread's start and end", "ns"),
                figure(mount(jdk, Work.READ), "reading oneself (without: in a platform thread)", "ns"),
                parked(jdk).flatMap(contest -> figure(contest, "a parked thread", "bytes of heap")));
        return "- On JDK " + Jdk.featureOf(jdk) + ", without and with an account, "
                + figures.flatMap(Optional::stream).collect(Collectors.joining(", ")) + ".";
    }

    private Contest mount(String jdk, Work work) {
        return new Contest(results, Benchmarks.VIRTUAL, jdk, work.toString());
    }

    private Optional<Contest> parked(String jdk) {
        return new ThreadTables(results)
                .manyVirtual().stream()
                        .filter(contest ->
                                contest.jdk().equals(jdk) && contest.quantity().equals(ThreadLives.HEAP_PARKED))
                        .findFirst();
    }

    private static Optional<String> figure(Contest contest, String does, String unit) {
        return contest.has(Contest.STOCK) && contest.has(Contest.ACCOUNTED)
                ? Optional.of(does + " "
                        + Figure.ns(contest.spread(Contest.STOCK).median()) + " and "
                        + Figure.ns(contest.spread(Contest.ACCOUNTED).median()) + " " + unit + " ("
                        + Figure.ratio(contest.timesStock(Contest.ACCOUNTED).median()) + ")")
                : Optional.empty();
    }
}
