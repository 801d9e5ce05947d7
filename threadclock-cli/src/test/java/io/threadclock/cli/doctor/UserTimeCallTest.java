// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.doctor.UserTimeCall.Way;
import org.junit.jupiter.api.Test;

class UserTimeCallTest {
    private static final Examination HERE = Examinations.of(Examinations.LIKE_THIS);

    @Test
    void followsFromTheVersionAndFromTheSourceThatReadsInTheSameWay() {
        for (int feature : new int[] {8, 17, 25}) {
            assertThat(UserTimeCall.of(feature, HERE)).isEqualTo(new UserTimeCall(Way.PROC, 8120.5, 309, 10_000_000));
        }
        for (int feature : new int[] {26, 28}) {
            assertThat(UserTimeCall.of(feature, HERE)).isEqualTo(new UserTimeCall(Way.TICKS, 309, 309, 3_999_999));
        }
    }
}
