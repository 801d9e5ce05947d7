// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.question.Requests;
import io.threadclock.lab.results.Benchmarks;
import org.junit.jupiter.api.Test;

class RequestsReportTest {
    private static final String JDK = "25.0.3";

    private final MadeUpRun run = new MadeUpRun(JDK);

    @Test
    void laysThePartsOfARequestEndToEnd() {
        request("/sort", 2, 1, 4, 1);
        assertThat(new RequestsReport(run.results()).toSvg())
                .as("an axis of 8 ms, 664 pixels long from 72 on")
                .containsPattern("<rect class=\"user bar\" x=\"72.0\" .* width=\"166.0\" .*/sort, user time: 2.00 ms")
                .containsPattern("<rect class=\"system bar\" x=\"238.0\" .* width=\"83.0\" ")
                .containsPattern("<rect class=\"run-delay bar\" x=\"321.0\" .* width=\"332.0\" ")
                .containsPattern("<rect class=\"not-running bar\" x=\"653.0\" .* width=\"83.0\" ");
    }

    @Test
    void tellsTheWallTimeBesideItsParts() {
        request("/ask", 0.1, 0.05, 0.35, 10);
        assertThat(new RequestsReport(run.results()).toText())
                .containsPattern("/ask +0\\.100 +0\\.0500 +0\\.350 +10\\.0 +10\\.5");
    }

    private void request(String path, double userMs, double systemMs, double delayMs, double notRunningMs) {
        run.figure(Benchmarks.REQUESTS, JDK, path, Requests.USER, null, userMs)
                .figure(Benchmarks.REQUESTS, JDK, path, Requests.SYSTEM, null, systemMs)
                .figure(Benchmarks.REQUESTS, JDK, path, Requests.RUN_DELAY, null, delayMs)
                .figure(Benchmarks.REQUESTS, JDK, path, Requests.NOT_RUNNING, null, notRunningMs);
    }
}
