// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;
import static io.threadclock.lab.report.Table.words;

import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;

/** The gain of unmodified programs from the preloaded library. */
public record PreloadedReport(Results results) {
    private static final String NOISE = "lost in the noise";
    private static final String NONE =
            "PHP is no row: its getrusage() asks for the whole process, and its hrtime() for wall time.";

    /** For the terminal. */
    public String toText() {
        return "\n" + table().toText() + origin() + "\n";
    }

    /** @param home the checkout */
    public Documents documents(Path home) {
        return new Documents(home).block("docs/preload.md", "preload", table().toMarkdown() + origin() + "\n");
    }

    private Table table() {
        Table table = new Table(
                "Unmodified programs, ns for one of each",
                words("program"),
                number("stock"),
                number("preloaded"),
                number("ratio"));
        for (String program : results.each(Benchmarks.PRELOAD, Subject::quantity)) {
            Contest contest = new Contest(results, Benchmarks.PRELOAD, "", program);
            Spread gain = contest.gain(Contest.PRELOADED);
            boolean isNoise = gain.least() <= 1 && gain.greatest() >= 1;
            table.row(
                    program,
                    Figure.nsOf(contest, Contest.STOCK),
                    Figure.nsOf(contest, Contest.PRELOADED),
                    Figure.ratio(gain) + (isNoise ? ", " + NOISE : ""));
        }
        results.notes().forEach(table::note);
        return table.note(NONE);
    }

    private String origin() {
        return "Medians of rounds in turn, with the least and the greatest. Measured by `"
                + results.origin().command() + "` on " + results.origin().describe() + "; load average before: "
                + results.origin().loadBefore() + ".";
    }
}
