// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Call;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The ns between two looks at System.nanoTime() around each call, on many threads, stock and with the agent. */
final class LatencyMeasurement {
    private static final double[] PERCENTILES = {50, 90, 95, 99, 99.9, 99.99};

    private final Jdk jdk;
    private final int threads;
    private final Map<ClockChoice, Map<Call, List<Histogram>>> byRound = new EnumMap<>(ClockChoice.class);

    LatencyMeasurement(Jdk jdk, int threads) {
        this.jdk = jdk;
        this.threads = threads;
    }

    static double[] percentiles() {
        return PERCENTILES.clone();
    }

    Jdk jdk() {
        return jdk;
    }

    int threads() {
        return threads;
    }

    void add(ClockChoice clock, Call call, Histogram histogram) {
        byRound.computeIfAbsent(clock, absent -> new EnumMap<>(Call.class))
                .computeIfAbsent(call, absent -> new ArrayList<>())
                .add(histogram);
    }

    int rounds() {
        return byRound.get(ClockChoice.STOCK).get(Call.USER_TIME).size();
    }

    /** All rounds together. {@link Call#EMPTY} is the timer alone. */
    Histogram total(ClockChoice clock, Call call) {
        Histogram total = new Histogram(3);
        byRound.get(clock).get(call).forEach(total::add);
        return total;
    }

    /** How many times faster than stock at the mean, the timer's own mean taken off both, round by round. */
    Spread gainAtMean(Call call) {
        return Spread.ofRatios(meansLessTimer(ClockChoice.STOCK, call), meansLessTimer(ClockChoice.AUTO, call));
    }

    /** The same with the timer in both. */
    Spread gainAtMeanWithTimer(Call call) {
        return Spread.ofRatios(means(ClockChoice.STOCK, call), means(ClockChoice.AUTO, call));
    }

    Spread meanLessTimer(ClockChoice clock, Call call) {
        return Spread.of(meansLessTimer(clock, call));
    }

    /** The percentiles, of those measured, at which threadclock is not better than stock. */
    List<Double> percentilesNotBetter(Call call) {
        Histogram stock = total(ClockChoice.STOCK, call);
        Histogram agent = total(ClockChoice.AUTO, call);
        List<Double> notBetter = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            if (agent.getValueAtPercentile(percentile) >= stock.getValueAtPercentile(percentile)) {
                notBetter.add(percentile);
            }
        }
        return notBetter;
    }

    private double[] means(ClockChoice clock, Call call) {
        return byRound.get(clock).get(call).stream().mapToDouble(Histogram::getMean).toArray();
    }

    private double[] meansLessTimer(ClockChoice clock, Call call) {
        double[] timer = means(clock, Call.EMPTY);
        double[] less = means(clock, call);
        for (int i = 0; i < less.length; i++) {
            less[i] = Math.max(Double.MIN_NORMAL, less[i] - timer[i]);
        }
        return less;
    }
}
