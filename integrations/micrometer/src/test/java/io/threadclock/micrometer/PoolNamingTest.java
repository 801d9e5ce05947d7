// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PoolNamingTest {
    @Test
    void followsTheFirstRuleThatMatchesTheWholeName() {
        PoolNaming naming = new PoolNaming(List.of(
                new PoolNaming.Rule(Pattern.compile("RMI .*"), "rmi"),
                new PoolNaming.Rule(Pattern.compile("RMI TCP.*"), "never"),
                new PoolNaming.Rule(Pattern.compile("grpc"), "grpc")));
        assertThat(naming.poolOf("RMI TCP Connection(4)-127.0.0.1")).isEqualTo("rmi");
        assertThat(naming.poolOf("grpc-worker-1")).isEqualTo("grpc-worker-*");
    }
}
