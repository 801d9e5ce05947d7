// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoPlanTest {
    private final DemoPlan full = DemoPlan.full(2);
    private final DemoPlan quick = DemoPlan.quick(2);

    @Test
    void measuresWithOneThreadAndWithMoreThreadsThanCpus() {
        assertThat(full.workers()).containsExactly(1, 8);
        assertThat(DemoPlan.full(64).workers()).containsExactly(1, 128);
    }

    @Test
    void theFullPlanLeavesRoomForSlowStartsOfTwoJdksInThreeMinutes() {
        assertThat(2 * full.jdkMs() + full.trapMs()).isLessThan(full.budgetMs() - 30_000);
        assertThat(full.budgetMs()).isLessThan(180_000);
    }

    @Test
    void theQuickPlanLeavesRoomForStartsOfTwoJdksInFortySeconds() {
        assertThat(2 * quick.jdkMs() + quick.trapMs()).isLessThan(quick.budgetMs() - 10_000);
        assertThat(quick.budgetMs()).isLessThan(40_000);
    }

    @Test
    void onlyTheFullPlanGivesTheProgramsTimeToBeCompiled() {
        assertThat(full.warm()).isTrue();
        assertThat(quick.warm()).isFalse();
    }

    @Test
    void isLeftAsItIsWhereThereIsTimeEnough() {
        assertThat(full.fittedInto(full.jdkMs())).isEqualTo(full);
        assertThat(full.fittedInto(10 * full.jdkMs())).isEqualTo(full);
    }

    @Test
    void getsShorterPhasesWhereThereIsLessTime() {
        assertThat(full.fittedInto(full.jdkMs() / 2).jdkMs()).isBetween(full.jdkMs() / 2 - 100, full.jdkMs() / 2);
    }

    @Test
    void neverGetsPhasesTooShortToMeanAnything() {
        assertThat(quick.fittedInto(-5_000).phaseMs()).isGreaterThanOrEqualTo(quick.phaseMs() * 2 / 5);
    }

    @Test
    void dividesWhatIsLeftAmongTheJdksThatAreStillToDo() {
        assertThat(full.jdkBudgetMs(2, 20_000)).isEqualTo((full.budgetMs() - 20_000 - full.trapMs()) / 2);
    }
}
