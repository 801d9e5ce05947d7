// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ns of several things, round by round, in JVMs that differ in how the clock has come into them.
 *
 * @param <K> what was measured
 */
final class Rounds<K> {
    private final Map<K, Map<Loading, List<Double>>> ns = new LinkedHashMap<>();

    void add(K measured, Loading loading, double nsOfRound) {
        ns.computeIfAbsent(measured, absent -> new EnumMap<>(Loading.class))
                .computeIfAbsent(loading, absent -> new ArrayList<>())
                .add(nsOfRound);
    }

    /** In the order in which they were first measured. */
    Set<K> measured() {
        return ns.keySet();
    }

    int count(K measured) {
        return ns.get(measured).get(Loading.STOCK).size();
    }

    Spread ns(K measured, Loading loading) {
        return Spread.of(array(measured, loading));
    }

    /** How many times faster than stock, round by round. */
    Spread gain(K measured, Loading loading) {
        return Spread.ofRatios(array(measured, Loading.STOCK), array(measured, loading));
    }

    /** How many times what it takes stock, round by round. */
    Spread timesStock(K measured, Loading loading) {
        return Spread.ofRatios(array(measured, loading), array(measured, Loading.STOCK));
    }

    private double[] array(K measured, Loading loading) {
        return ns.get(measured).get(loading).stream().mapToDouble(each -> each).toArray();
    }
}
