// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By the words of {@link Situation}: a machine, this process there, and the JVM. */
class ExpectedSourceTest {
    @ParameterizedTest
    @CsvSource({
        "'', '', '', rseq",
        "no-rseq, '', '', perf",
        // It is open behind a filter.
        "'', '', filtered, rseq perf clock",
        "no-rseq, '', filtered, perf clock",
        // What our own filter refuses, another process may have.
        "no-rseq no-perf, filtered, '', perf",
        "no-rseq no-perf, '', '', clock",
        // The setting of the system holds for the unprivileged.
        "no-rseq paranoid=3, root, '', clock",
        // ids needs a process without libc's areas.
        "no-rseq no-perf no-ids, '', no-libc-rseq, ids",
        "no-rseq no-perf no-ids, '', '', clock"
    })
    void isTheFirstThatIsSoundAndThatItMayUse(String machine, String own, String its, String sources) {
        Situation here = new Situation(machine);
        ExpectedSource foreseen = ExpectedSource.of(
                here.machine(),
                here.examined(),
                new Situation(own).limits(),
                new Situation(its).limits(),
                !its.equals("no-libc-rseq"));
        assertThat(foreseen.sources()).containsExactly(sources.split(" "));
    }
}
