// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.Progress;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.ResultsDraft;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpanPriceIT {
    /** A plan for so many JDKs has short slices. */
    private static final int MANY_JDKS = 20;

    private final ResultsDraft draft = new ResultsDraft();

    /** If they were not, because the extension was not loaded or has refused, this would fail. */
    @Test
    void isThatOfSpansWhichAreMeasured() {
        List<Jdk> jdks = Jdks.onePerFeature(17);
        Jdk newest = jdks.get(jdks.size() - 1);
        Path home = Path.of("..").toAbsolutePath().normalize();
        try (Progress progress = Progress.onStderr()) {
            Plan plan = Plan.of(Plan.Length.QUICK, MANY_JDKS);
            new SpanPrice(new Session(newest, AgentLibrary.in(home), plan, progress, draft), home).measure();
        }
        var results = draft.finish(new Origin.Start().end("bench --spans", List.of()));
        Contest span = new Contest(results, Benchmarks.SPANS, newest.version(), SpanPrice.SPAN);
        for (String contender : List.of(Contest.STOCK, Contest.THREADCLOCK)) {
            assertThat(span.spread(contender).least())
                    .as("ns of a span, %s", contender)
                    .isPositive();
        }
    }
}
