// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.Progress;
import io.threadclock.lab.program.LivesOfThreads.Work;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsDraft;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each way to have the CPU time of virtual threads is measured on each JDK, in slices of some ms. */
@DisabledIfSystemProperty(named = "threadclock.brief", matches = ".*", disabledReason = "a run in full")
class ThreadLivesIT {
    /** A plan for so many JDKs has short slices. */
    private static final int MANY_JDKS = 20;

    static Stream<Jdk> jdks() {
        return Jdks.onePerFeature(SegmentAccuracy.OLDEST_FEATURE).stream();
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("jdks")
    void hasAllWaysSideBySide(Jdk jdk) {
        Results results = measured(jdk);
        for (Work work : List.of(Work.YIELD, Work.PARK, Work.SLEEP, Work.START)) {
            Contest contest = new Contest(results, Benchmarks.VIRTUAL, jdk.version(), work.toString());
            for (String contender :
                    List.of(Contest.STOCK, Contest.ACCOUNTED, Contest.BY_AGENT, Contest.BY_RUN, Contest.MOUNT_EVENTS)) {
                assertThat(contest.spread(contender).least())
                        .as("ns of one %s, %s", work, contender)
                        .isPositive();
            }
        }
    }

    private static Results measured(Jdk jdk) {
        Path home = Path.of("..").toAbsolutePath().normalize();
        ResultsDraft draft = new ResultsDraft();
        try (Progress progress = Progress.onStderr()) {
            Session session =
                    new Session(jdk, AgentLibrary.in(home), Plan.of(Plan.Length.QUICK, MANY_JDKS), progress, draft);
            new ThreadLives(session, home).measureVirtual();
        }
        return draft.finish(new Origin.Start().end("bench --virtual", List.of()));
    }
}
