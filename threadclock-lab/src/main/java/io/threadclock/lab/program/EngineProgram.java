// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.questdb.griffin.SqlException;
import io.threadclock.VirtualThreads;
import io.threadclock.harness.Exchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.HdrHistogram.Histogram;

/**
 * A database that attributes its work: starts a QuestDB server, ingests a history of trades, and answers each
 * {@link Turns} with the {@link Done} of it. All of it is done by the calling thread, whichever way it is attributed, by
 * one and the same code; or by two virtual threads, of which one is accounted and attributes its work.
 *
 * <p>Arguments: the directory for the server's files, the number of rows to ingest, and {@link #VIRTUAL} or nothing.
 */
public final class EngineProgram {
    /**
     * Units at the start of a slice that do not count; they are the last ones of a cycle. They are affected by the
     * caches that the slice before has left, and by a clock that has not been read for a while.
     */
    private static final int LEAD_UNITS = 2;

    private static final int SIGNIFICANT_DIGITS = 3;

    /** The argument by which virtual threads do the work: that of {@link Way#NONE} a stock one. */
    public static final String VIRTUAL = "virtual";

    private final TradeClient client;
    /** Empty if the calling thread does the work. */
    private final Map<Way, ExecutorService> workers;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final JudgedReadings judged = new JudgedReadings();
    private final Map<Way, Attribution> attributions = new EnumMap<>(Map.of(
            Way.NONE, new Attribution.None(),
            Way.THREAD_MX_BEAN, new Attribution.ByThreadMXBean(),
            Way.STOPWATCH, new Attribution.ByStopwatch(),
            Way.JUDGED, judged));
    /** Times of the units that do not count, which run the same code. */
    private final Histogram leadNs = emptyHistogram();
    /** The results of the units, kept so that no compiler can remove their work. */
    private double found;

    EngineProgram(TradeClient client) {
        this(client, Map.of());
    }

    private EngineProgram(TradeClient client, Map<Way, ExecutorService> workers) {
        this.client = client;
        this.workers = workers;
    }

    /** The ways of attribution. */
    public enum Way {
        NONE,
        THREAD_MX_BEAN,
        STOPWATCH,
        /**
         * Through ThreadMXBean, with each call timed and each answer judged, which is too expensive to compare with the
         * others.
         */
        JUDGED
    }

    /**
     * Slices of work to do, one after the other.
     *
     * @param ways of attribution, a slice each
     * @param cycles how often a slice does the cycle of units; always the same work, whatever it takes
     */
    public record Turns(List<Way> ways, int cycles) {}

    /**
     * The cost of a slice of work, attribution included.
     *
     * @param wallNs per unit
     * @param cpuNs CPU time of the thread per unit, by the clock of {@code ThreadMXBean}; 0 of a virtual thread
     */
    public record Slice(Way way, double wallNs, double cpuNs) {}

    /**
     * Slices in the order in which they were done.
     *
     * @param unitNs wall time of each unit, attribution included: a histogram for each way
     * @param judged what the slices that are judged have told
     */
    public record Done(List<Slice> slices, Map<Way, String> unitNs, Judged judged) {}

    /** Histograms of the wall time of each call, in ns, the timer included, and of the timer alone. */
    public record Judged(UnitLedger.Charges charges, String userCallNs, String cpuCallNs, String timerNs) {}

    public static void main(String[] arguments) throws Exception {
        try (TradeStore store = TradeStore.start(Path.of(arguments[0]))) {
            store.ingestHistory(Integer.parseInt(arguments[1]));
            try (TradeClient client = new TradeClient(store, 0)) {
                EngineProgram engine = new EngineProgram(client, workers(arguments));
                Exchange.answerEach(Turns.class, engine::work);
                engine.workers.values().forEach(ExecutorService::shutdown);
            }
        }
    }

    private static Map<Way, ExecutorService> workers(String[] arguments) {
        if (!List.of(arguments).contains(VIRTUAL)) {
            return Map.of();
        }
        ThreadFactory stock = LivesOfThreads.virtual();
        return Map.of(
                Way.NONE, Executors.newSingleThreadExecutor(stock),
                Way.STOPWATCH, Executors.newSingleThreadExecutor(VirtualThreads.factory(stock)));
    }

    Done work(Turns turns) {
        List<Slice> slices = new ArrayList<>();
        Map<Way, Histogram> unitNs = new EnumMap<>(Way.class);
        turns.ways().forEach(way -> unitNs.computeIfAbsent(way, absent -> emptyHistogram()));
        try {
            for (Way way : turns.ways()) {
                ExecutorService worker = workers.get(way);
                Histogram ns = unitNs.get(way);
                slices.add(
                        worker == null
                                ? slice(way, turns.cycles(), ns)
                                : worker.submit(() -> slice(way, turns.cycles(), ns))
                                        .get());
            }
        } catch (SqlException refused) {
            throw new IllegalStateException("QuestDB refused a query", refused);
        } catch (IOException broken) {
            throw new UncheckedIOException("a batch failed", broken);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a virtual thread failed", failed.getCause());
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException("interrupted", nobodyDoes);
        }
        Map<Way, String> unitNsText = new EnumMap<>(Way.class);
        unitNs.forEach((way, histogram) -> unitNsText.put(way, HistogramText.of(histogram)));
        return new Done(slices, unitNsText, takeJudged());
    }

    private Slice slice(Way way, int cycles, Histogram unitNs) throws SqlException, IOException {
        double units = (double) cycles * TradeClient.CYCLE;
        work(attributions.get(way), TradeClient.CYCLE - LEAD_UNITS, TradeClient.CYCLE, leadNs);
        long beginCpuNs = cpuNs();
        long beginNs = System.nanoTime();
        work(attributions.get(way), 0, cycles * TradeClient.CYCLE, unitNs);
        long wallNs = System.nanoTime() - beginNs;
        long endCpuNs = cpuNs();
        judged.settle(endCpuNs);
        return new Slice(way, wallNs / units, (endCpuNs - beginCpuNs) / units);
    }

    private long cpuNs() {
        return workers.isEmpty() ? threads.getCurrentThreadCpuTime() : 0;
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

    private Judged takeJudged() {
        JudgedReadings.CallTimes times = judged.takeTimes();
        return new Judged(
                judged.takeCharges(),
                HistogramText.of(times.user()),
                HistogramText.of(times.cpu()),
                HistogramText.of(times.timer()));
    }

    private static Histogram emptyHistogram() {
        return new Histogram(SIGNIFICANT_DIGITS);
    }
}
