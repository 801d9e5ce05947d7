// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmtiPriceTest {
    @TempDir
    Path mount;

    @ParameterizedTest
    @ValueSource(strings = {"-agentpath:/opt/libother.so", "-agentlib:other"})
    void anAgentFromTheStartHasPaid(String agent) {
        FakeProc fake = new FakeProc(mount).write("77/cmdline", "java\0" + agent + "=secret\0-jar\0app.jar\0");
        assertThat(JvmtiPrice.of(fake.target()).payer()).hasValue(agent);
    }

    @Test
    void nobodyHasPaidInAJvmWithoutAgents() {
        assertThat(JvmtiPrice.of(new FakeProc(mount).target()).payer()).isEmpty();
    }
}
