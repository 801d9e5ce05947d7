// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessLookTest {
    /** 301 is the least that the kernel takes for pid_max. */
    @Test
    void hasAWordForEachTid() {
        assertThat(ProcessLook.mostDirectoryBytes()).isBetween(4L * 301, 4L << 22);
    }
}
