// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoolNameTest {
    @ParameterizedTest
    @CsvSource({
        // A star stands in place of each number.
        "pool-3-thread-1, pool-*-thread-*",
        "ForkJoinPool.commonPool-worker-7, ForkJoinPool.commonPool-worker-*",
        "GC Thread#0, GC Thread#*",
        "worker12, worker*",
        "worker12 of H2, worker* of H*",
        "Thread-7 (idle), Thread-* (idle)",
        "RMI TCP Connection(4)-127.0.0.1, RMI TCP Connection(*)-*.*.*.*",
        "qtp1816747863-23, qtp*-*",
        "job 7 of 9, job * of *",
        "42, *",
        // A star stands in place of a hash or UUID.
        "worker-1b6d3586, worker-*",
        "worker-9f86d081884c7d659a2feaa0c55ad015-2, worker-*-*",
        "worker-550E8400-e29b-abcd-a716-446655440000, worker-*",
        "worker-550e8400-e29b-abcd-a716-446655440000 idle, worker-* idle",
        "worker-550e8400-e29b-abcd-a716-44665544000, worker-*-e*b-abcd-a*-*",
        "cafe01, cafe*",
        "deadbeef, deadbeef",
        // The coroutine is left out.
        "DefaultDispatcher-worker-1 @coroutine#5, DefaultDispatcher-worker-*",
        "main @load orders#12, main",
        "http-nio-8080-exec-3 @request#7, http-nio-8080-exec-*",
        "shop.Order@1b6d3586#3, shop.Order",
        "@coroutine#5, @coroutine#*",
        "a@b-5, a@b-*",
        // The JVM's words and a connector's port are kept.
        "C2 CompilerThread1, C2 CompilerThread*",
        "G1 Conc#0, G1 Conc#*",
        "http-nio-8080-exec-1, http-nio-8080-exec-*",
        "http-nio-8080-Acceptor, http-nio-8080-Acceptor",
        "http-nio-8080-Acceptor-1, http-nio-8080-Acceptor-*",
        "https-jsse-nio-8443-Poller, https-jsse-nio-8443-Poller",
        "ajp-nio-127.0.0.1-8009-Acceptor, ajp-nio-127.0.0.1-8009-Acceptor",
        "http-nio-auto-1-Poller, http-nio-auto-1-Poller",
        "http-outgoing-7-reader, http-outgoing-*-reader",
    })
    void isWhatTheNamesOfAPoolsThreadsShare(String thread, String pool) {
        assertThat(PoolName.of(thread)).isEqualTo(pool);
    }

    @ParameterizedTest
    @ValueSource(strings = {"main", "", "C2 CompilerThre", "G1 Main Marker", "Signal Dispatcher", "Thread-\u0663"})
    void ofAThreadWithoutANumberIsItsName(String thread) {
        assertThat(PoolName.of(thread)).isSameAs(thread);
    }

    @Test
    void isNoLongerThan128Characters() {
        assertThat(PoolName.of("select " + "x, ".repeat(9999)))
                .isEqualTo(PoolName.of("select " + "x, ".repeat(999)))
                .hasSize(128);
        assertThat(PoolName.of("x".repeat(127) + "\uD83D\uDE00")).isEqualTo("x".repeat(127));
    }
}
