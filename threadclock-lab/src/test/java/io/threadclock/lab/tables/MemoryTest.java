// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryTest {
    private final Memory memory = Memory.of(new MadeUpRun("25").memory("25", 4096, 4096 + 256_000).results());

    @Test
    void ofAThreadIsTheGrowthDividedByTheThreadsThatWereAdded() {
        assertThat(memory.bytesPerThread()).isEqualTo(256.0);
    }

    @Test
    void countsWhatIsSharedWithThePageCacheForNobody() {
        assertThat(memory.ownBytes(1)).isEqualTo(8192 + 4096 + 4096);
    }
}
