// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualPoolsTest {
    private static final int MOST = 3;

    private final List<String> named = new ArrayList<>();

    private final VirtualPools pools = new VirtualPools(new FakeCarrierClock() {
        @Override
        int poolNamed(String name) {
            if (named.size() == MOST) {
                return VirtualPools.OTHERS;
            }
            named.add(name);
            return named.size() + 1;
        }
    });

    private List<Integer> poolsOf(String... names) {
        List<Integer> found = new ArrayList<>();
        for (String name : names) {
            found.add(pools.of(name));
        }
        return found;
    }

    @Test
    void foldNamesAsPlatformThreadsAreFolded() {
        String[] names = {"a-1", "a-2", "http-nio-8080-exec-7", "a-33", "http-nio-8080-exec-8", "a-x", "a-4"};
        assertThat(poolsOf(names)).containsExactly(2, 2, 3, 2, 3, 4, 2);
        assertThat(named).containsExactly("a-*", "http-nio-8080-exec-*", "a-x");
    }

    @Test
    void takeANumberForTheWholeNumberBeforeTheEnd() {
        for (String[] names : new String[][] {
            {"7", "12"},
            {"a1", "a12", "a1-2", "a1-23"},
            {"x*", "x1", "x*"},
            {"a-b12", "a-b123456"},
            {"w-550e8400-e29b-41d4-a716-4", "w-550e8400-e29b-41d4-a716-446655440000"}
        }) {
            for (String name : names) {
                VirtualPools fresh = new VirtualPools(new FakeCarrierClock() {
                    @Override
                    int poolNamed(String pool) {
                        return pool.hashCode() & 0x7f;
                    }
                });
                for (String before : names) {
                    fresh.of(before);
                    assertThat(fresh.of(name))
                            .as("pool of \"%s\" after \"%s\"", name, before)
                            .isEqualTo(PoolName.of(name).hashCode() & 0x7f);
                }
            }
        }
    }

    @Test
    void putThreadsWithoutANameIntoOne() {
        assertThat(poolsOf("", null)).containsOnly(VirtualPools.UNNAMED);
    }

    @Test
    void putAllNamesThatComeTooLateIntoOne() {
        assertThat(poolsOf("a", "b", "c", "d", "e", "a", "e-1", "e-2"))
                .containsExactly(
                        2, 3, 4, VirtualPools.OTHERS, VirtualPools.OTHERS, 2, VirtualPools.OTHERS, VirtualPools.OTHERS);
    }
}
