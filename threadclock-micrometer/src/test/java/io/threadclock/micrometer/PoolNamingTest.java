// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolNamingTest {
    @ParameterizedTest
    @CsvSource({
        "http-nio-8080-exec-12, http-nio-8080-exec-*",
        "pool-3-thread-1, pool-3-thread-*",
        "ForkJoinPool.commonPool-worker-7, ForkJoinPool.commonPool-worker-*",
        "worker12, worker*",
        "main, main",
        "RMI TCP Connection(4)-127.0.0.1, RMI TCP Connection(4)-127.0.0.*",
        "42, *",
        "'', ''",
    })
    void leavesOutTheNumberAtTheEnd(String thread, String pool) {
        assertThat(new PoolNaming(List.of()).poolOf(thread)).isEqualTo(pool);
    }

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
