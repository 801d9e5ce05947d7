// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.doctor.Level;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorTest {
    @ParameterizedTest
    @CsvSource({
        "RED, GREEN, 0",
        "RED, YELLOW, 0",
        "RED, RED, 4",
        "YELLOW, NONE, 0",
        "YELLOW, YELLOW, 3",
        "YELLOW, RED, 4"
    })
    void theExitStatusIsThatOfTheWorstFromTheChosenLevelOn(Doctor.Alarm alarm, Level worst, int status) {
        assertThat(alarm.status(worst)).isEqualTo(status);
    }
}
