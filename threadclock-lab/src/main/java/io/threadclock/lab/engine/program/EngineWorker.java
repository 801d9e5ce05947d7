// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine.program;

import io.questdb.griffin.SqlException;
import io.threadclock.lab.demo.program.TradeClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Does slices of the engine's work in the calling thread, whichever way it is attributed, by one and the same code. */
final class EngineWorker {
    /**
     * Units at the start of a slice that do not count, the last ones of a cycle. Theirs is what the slice before has
     * left in the caches, and that the clock has not been read for a while.
     */
    private static final int LEAD_UNITS = 2;

    private final TradeClient client;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Way, Attribution> attributions = new EnumMap<>(Way.class);
    /** Of the units that do not count: they are timed as well, because they are the same code. */
    private final Histogram leadNs = Turns.emptyHistogram();
    /** What the units found; kept so that no compiler can leave their work out. */
    private double found;

    EngineWorker(TradeClient client) {
        this.client = client;
        for (Way way : Way.values()) {
            attributions.put(way, way.attribution());
        }
    }

    Turns work(TurnsRequest request) throws SqlException, IOException {
        List<Slice> slices = new ArrayList<>();
        Map<Way, Histogram> unitNs = new EnumMap<>(Way.class);
        for (Way way : request.ways()) {
            unitNs.computeIfAbsent(way, absent -> Turns.emptyHistogram());
        }
        for (Way way : request.ways()) {
            work(attributions.get(way), TradeClient.CYCLE - LEAD_UNITS, TradeClient.CYCLE, leadNs);
            slices.add(slice(way, request.cycles(), unitNs.get(way)));
        }
        return new Turns(slices, unitNs);
    }

    private Slice slice(Way way, int cycles, Histogram unitNs) throws SqlException, IOException {
        double units = (double) cycles * TradeClient.CYCLE;
        long beginCpuNs = threads.getCurrentThreadCpuTime();
        long beginNs = System.nanoTime();
        work(attributions.get(way), 0, cycles * TradeClient.CYCLE, unitNs);
        long wallNs = System.nanoTime() - beginNs;
        long cpuNs = threads.getCurrentThreadCpuTime() - beginCpuNs;
        return new Slice(way, wallNs / units, cpuNs / units);
    }

    private void work(Attribution attribution, int fromTurn, int endTurn, Histogram unitNs)
            throws SqlException, IOException {
        for (int turn = fromTurn; turn < endTurn; turn++) {
            long beginNs = System.nanoTime();
            attribution.start();
            found += client.work(turn);
            attribution.stop();
            unitNs.recordValue(System.nanoTime() - beginNs);
        }
    }
}
