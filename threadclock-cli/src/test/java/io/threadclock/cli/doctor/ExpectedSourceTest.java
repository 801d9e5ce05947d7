// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.CpuQuota;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectedSourceTest {
    private static final Examination HERE = Examinations.of(Examinations.LIKE_THIS);
    private static final String NO_RSEQ = Examinations.text("rseq", Examinations.RSEQ_REFUSED, Examinations.LIKE_THIS);
    private static final String NO_PERF = Examinations.text("perf", Examinations.PERF_REFUSED, NO_RSEQ);
    private static final Examination NEWER = Examinations.of(NO_RSEQ);
    private static final Examination REFUSED = Examinations.of(NO_PERF);
    private static final ProcessLimits USER = Examinations.ofUser(0);
    private static final ProcessLimits FILTERED = new ProcessLimits(1000, true, 0, 0, 2, CpuQuota.NONE);

    @Test
    void isTheFirstThatIsSound() {
        assertThat(sources(HERE, USER, USER)).containsExactly("rseq");
        assertThat(sources(NEWER, USER, USER)).containsExactly("perf");
    }

    @Test
    void isOpenBehindAFilter() {
        assertThat(sources(HERE, USER, FILTERED)).containsExactly("rseq", "perf", "clock");
        assertThat(sources(NEWER, USER, FILTERED)).containsExactly("perf", "clock");
    }

    @Test
    void whatOurOwnFilterRefusesAnotherProcessMayHave() {
        assertThat(sources(REFUSED, FILTERED, USER)).containsExactly("perf");
        assertThat(sources(REFUSED, USER, USER)).as("refused without a filter").containsExactly("clock");
    }

    @Test
    void theSettingOfTheSystemHoldsForTheUnprivileged() {
        ExpectedSource foreseen = ExpectedSource.of(Examinations.machine(3), NEWER, Examinations.ofRoot(), USER, true);
        assertThat(foreseen.sources()).containsExactly("clock");
    }

    @Test
    void idsNeedsAProcessWithoutLibcsAreas() {
        Examination newest = Examinations.of(Examinations.text("ids", Examinations.IDS_REFUSED, NO_PERF));
        assertThat(ExpectedSource.of(Examinations.machine(2), newest, USER, USER, false)
                        .sources())
                .containsExactly("ids");
        assertThat(ExpectedSource.of(Examinations.machine(2), newest, USER, USER, true)
                        .sources())
                .containsExactly("clock");
    }

    private static List<String> sources(Examination examined, ProcessLimits own, ProcessLimits its) {
        return ExpectedSource.of(Examinations.machine(2), examined, own, its, true)
                .sources();
    }
}
