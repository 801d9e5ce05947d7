// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import java.util.List;
import org.junit.jupiter.api.Tag;

class ReadingLoopIT {
    private static final int CPU = 0;
    private static final int USER = 1;
    private static final int SYSTEM = 2;

    @OnOldestAndNewestJdk
    @Tag("timing")
    void savesSystemTimeByABuffer(Jdk jdk) {
        assertThat(times(jdk, "a system call for each 64 KB").get(SYSTEM))
                .as("system time of a loop with a buffer, against one without, in ns")
                .isLessThan(times(jdk, "a system call for each record").get(SYSTEM) / 2);
    }

    @OnOldestAndNewestJdk
    void dividesCpuTimeIntoUserAndSystemTime(Jdk jdk) {
        List<Long> times = times(jdk, "a system call for each record");
        assertThat(times.get(USER) + times.get(SYSTEM))
                .as("user time + system time against CPU time, in ns")
                .isEqualTo(times.get(CPU));
    }

    private static List<Long> times(Jdk jdk, String loop) {
        return Printed.ns(Printed.by(ReadingLoop.class, jdk).line(loop));
    }
}
