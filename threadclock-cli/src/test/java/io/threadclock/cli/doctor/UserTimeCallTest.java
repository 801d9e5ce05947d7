// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.cli.doctor.UserTimeCall.Way;
import java.util.List;
import org.junit.jupiter.api.Test;

class UserTimeCallTest {
    static final String PARSES_PROC =
            """
            jdk 17.0.15
            vm OpenJDK 64-Bit Server VM
            calls 9172 563
            reads 400 200
            steps 10000000 6 61000000
            phase 0 10 10000000 5000000
            phase 250000 15 0 5108135
            phase 500000 1 10000000 350000
            end 0
            """;
    private static final String TICKS = "steps 4000000 16 60900000";
    static final String RAW_TICKS =
            PARSES_PROC.replace("reads 400", "reads 3").replace("steps 10000000 6 61000000", TICKS);
    private static final long TICK_NS = 4_000_000;

    @Test
    void aCallThatReadsFilesParsesProc() {
        assertThat(UserTimeCall.parse(PARSES_PROC, TICK_NS))
                .returns(Way.PROC, UserTimeCall::way)
                .returns(9172L, UserTimeCall::userCallNs)
                .returns(563L, UserTimeCall::cpuCallNs)
                .returns(2.0, UserTimeCall::readsPerCall)
                .returns("17.0.15", UserTimeCall::jdk);
    }

    @Test
    void aCallThatReadsNoFilesAndMovesByTicksIsOfTicks() {
        assertThat(UserTimeCall.parse(RAW_TICKS, TICK_NS).way()).isEqualTo(Way.TICKS);
    }

    @Test
    void withATickOfTenMillisecondsTheReadsTellThemApart() {
        String steps = RAW_TICKS.replace(TICKS, "steps 10000000 6 61000000");
        assertThat(UserTimeCall.parse(steps, 10_000_000).way()).isEqualTo(Way.TICKS);
    }

    @Test
    void aCallThatMovesMoreOftenThanTicksComeIsFine() {
        assertThat(UserTimeCall.parse(RAW_TICKS.replace(TICKS, "steps 31000 1900 61000000"), TICK_NS)
                        .way())
                .isEqualTo(Way.FINE);
    }

    /** The kernel subtracts what a hypervisor took: steps are then shorter, and not more frequent. */
    @Test
    void aCallThatMovesAtTicksIsOfTicksHoweverShortTheStepsAre() {
        assertThat(UserTimeCall.parse(RAW_TICKS.replace(TICKS, "steps 3100000 17 62000000"), TICK_NS)
                        .way())
                .isEqualTo(Way.TICKS);
    }

    @Test
    void aCallThatNeverMovedIsNotKnown() {
        assertThat(UserTimeCall.parse(RAW_TICKS.replace(TICKS, "steps 0 0 60500000"), TICK_NS)
                        .way())
                .isEqualTo(Way.UNKNOWN);
    }

    @Test
    void aJvmThatTellsNoTimesSaysSo() {
        UserTimeCall call = UserTimeCall.parse("jdk 17\nvm Some VM\nunsupported\n", TICK_NS);
        assertThat(call.way()).isEqualTo(Way.UNSUPPORTED);
        assertThat(call.leastShare()).isEmpty();
    }

    @Test
    void phasesThatWereHardlyMetDoNotCount() {
        UserTimeCall call = UserTimeCall.parse(PARSES_PROC, TICK_NS);
        assertThat(call.leastShare()).hasValue(0);
        assertThat(call.greatestShare())
                .as("without the one of a single burst, which was 28")
                .hasValue(2);
    }

    /** The probe runs on a JDK whose owner may make it print anything. */
    @Test
    void whatSaysSomethingElseIsRefused() {
        for (String text :
                List.of("phase", "phase 1 2 3", "calls x", "calls 99999999999999999999", "reads 1 x\nphase 1")) {
            assertThatThrownBy(() -> UserTimeCall.parse(text, TICK_NS))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("something else");
        }
    }

    @Test
    void figuresThatAreMissingAreNone() {
        assertThat(UserTimeCall.parse("calls 9\nsteps 5", TICK_NS).way()).isEqualTo(Way.UNKNOWN);
    }
}
