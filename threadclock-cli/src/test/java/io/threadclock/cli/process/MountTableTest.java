// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MountTableTest {
    private static final MountTable TABLE = MountTable.parse(
            """
            23 29 0:21 / / rw,relatime shared:1 - ext4 /dev/vda rw
            24 23 0:22 / /tmp rw,nosuid,noexec - tmpfs tmpfs rw
            27 23 0:25 / /donn\0es rw - tmpfs tmpfs rw
            25 23 0:23 / /with\\040space rw,noexec - tmpfs tmpfs rw
            26 24 0:24 / /tmp rw,nosuid - tmpfs tmpfs rw,noexec
            """);

    @Test
    void theDeepestMountDecides() {
        assertThat(TABLE.forbidsExecution(Path.of("/with space/x"))).isTrue();
        assertThat(TABLE.forbidsExecution(Path.of("/with"))).isFalse();
    }

    @Test
    void aLaterMountCoversAnEarlierOne() {
        assertThat(TABLE.forbidsExecution(Path.of("/tmp/x"))).isFalse();
    }

    @Test
    void aTableThatCannotBeReadForbidsNothing() {
        assertThat(MountTable.parse("").forbidsExecution(Path.of("/tmp"))).isFalse();
    }
}
