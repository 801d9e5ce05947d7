// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoolNameTest {
    @ParameterizedTest
    @CsvSource({
        "http-nio-8080-exec-12, http-nio-8080-exec-*",
        "pool-3-thread-1, pool-3-thread-*",
        "ForkJoinPool.commonPool-worker-7, ForkJoinPool.commonPool-worker-*",
        "GC Thread#0, GC Thread#*",
        "C2 CompilerThread1, C2 CompilerThread*",
        "worker12, worker*",
        "Thread-7 (idle), Thread-* (idle)",
        "RMI TCP Connection(4)-127.0.0.1, RMI TCP Connection(4)-127.0.0.*",
        "42, *",
        "7 of 9 x, 7 of * x",
    })
    void hasAStarInPlaceOfTheLastNumber(String thread, String pool) {
        assertThat(PoolName.of(thread)).isEqualTo(pool);
    }

    @ParameterizedTest
    @CsvSource({"pool-1-thread-2 of H2 server, pool-1-thread-* of H2 server", "mp3-7 by log4j, mp3-* by log4j"})
    void passesOverANumberThatIsTheEndOfAWord(String thread, String pool) {
        assertThat(PoolName.of(thread)).isEqualTo(pool);
    }

    @ParameterizedTest
    @CsvSource({
        "http-nio-8080-exec-1, http-nio-8080-exec-*",
        "http-nio-8080-Acceptor, http-nio-8080-Acceptor",
        "http-nio-8080-Acceptor-1, http-nio-8080-Acceptor-*",
        "http-nio-8080-Poller, http-nio-8080-Poller",
        "https-jsse-nio-8443-Poller, https-jsse-nio-8443-Poller",
        "ajp-nio-127.0.0.1-8009-Acceptor, ajp-nio-127.0.0.1-8009-Acceptor",
        "http-nio-auto-1-Poller, http-nio-auto-1-Poller",
        "retry-7-of-job, retry-*-of-job",
    })
    void keepsAConnectorsPortInAllItsPools(String thread, String pool) {
        assertThat(PoolName.of(thread)).isEqualTo(pool);
    }

    @ParameterizedTest
    @ValueSource(strings = {"main", "", "C2 CompilerThre", "G1 Main Marker", "Signal Dispatcher", "Thread-\u0663"})
    void ofAThreadWithoutANumberIsItsName(String thread) {
        assertThat(PoolName.of(thread)).isSameAs(thread);
    }
}
