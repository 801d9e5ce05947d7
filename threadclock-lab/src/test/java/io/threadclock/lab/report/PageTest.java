// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The page of a run, which is one file. */
class PageTest {
    @Test
    void hasEachTableAndPictureOfTheRunAndTheChangesSinceAnOlderOne() {
        Results kept = Results.kept(Path.of(".."), "bench").read();
        BenchReport report = new BenchReport(kept);
        String html = new BenchPage(kept, Optional.of(kept)).page().toHtml();
        assertThat(html.split("<table>"))
                .as("tables of the report, the summary, and of the comparison")
                .hasSizeGreaterThan(report.sections().size() + 2);
        assertThat(html.split("<img src=\"data:image/svg"))
                .hasSize(report.images().size() + 1);
        assertThat(html).contains("Against an older run", "How it is measured").doesNotContain("src=\"growth");
    }

    @Test
    void takesTextsOfTheResultsForNoHtml() {
        String html = new Page("x").add("a <script>alert(1)</script> `<b>`\n").toHtml();
        assertThat(html).contains("&lt;script&gt;", "&lt;b&gt;").doesNotContain("<script");
    }
}
