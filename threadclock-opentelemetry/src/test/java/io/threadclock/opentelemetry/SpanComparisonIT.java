// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.ThreadClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the comparison, which takes more than a minute, and shows its tables. */
@Tag("timing")
class SpanComparisonIT {
    @Test
    void tellsWhatWorkCostsWhereverItRuns() throws Exception {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        String tables = tables();
        System.out.print(tables);
        for (String kind : new String[] {"in one thread", "in two threads, half in each"}) {
            Matcher row = Pattern.compile(
                            Pattern.quote("| " + kind + " | ") + "([0-9.]+) \\(([0-9.]+)–[0-9.]+\\) \\|.*")
                    .matcher(tables);
            assertThat(row.find()).as("%s in %s", kind, tables).isTrue();
            assertThat(Double.parseDouble(row.group(2)))
                    .as("the least told ÷ work, %s", kind)
                    .isGreaterThanOrEqualTo(0.99);
        }
        assertThat(tables).containsPattern("\\| threadclock \\| [0-9,]+ \\([0-9,]+–[0-9,]+\\) \\|");
    }

    private static String tables() throws Exception {
        PrintStream stdout = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, "UTF-8"));
        try {
            SpanComparison.main(new String[0]);
        } finally {
            System.setOut(stdout);
        }
        return printed.toString("UTF-8");
    }
}
