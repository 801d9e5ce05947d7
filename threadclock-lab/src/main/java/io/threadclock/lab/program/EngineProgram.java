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
import java.util.concurrent.ThreadFactory;
import org.HdrHistogram.Histogram;

/**
 * A database that attributes its work: starts a QuestDB server, ingests a history of trades, and answers each
 * {@link Turns} with the {@link Done} of it. All of it is done by the calling thread, whichever way it is attributed, by
 * one and the same code; or by the virtual threads of two {@link SplitScheduler}s, of which one has accounted threads and attributes
 * its work.
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

    /** The argument by which virtual threads do the work: that of {@link Way#NONE} stock ones. */
    public static final String VIRTUAL = "virtual";

    /** The virtual threads of each scheduler; a split has the same client in both. */
    public static final int SPLITS = 32;

    private final List<TradeClient> clients;
    /** Empty if the calling thread does the work. */
    private final Map<Way, SplitScheduler> schedulers;

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
        this(List.of(client), Map.of());
    }

    private EngineProgram(List<TradeClient> clients, Map<Way, SplitScheduler> schedulers) {
        this.clients = clients;
        this.schedulers = schedulers;
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
     * @param cycles how often a slice does the cycle of units; always the same work, whatever it takes. Each is the
     *     quantum of another split, if there are splits
     */
    public record Turns(List<Way> ways, int cycles) {}

    /**
     * The cost of a slice of work, attribution included.
     *
     * @param wallNs per unit
     * @param cpuNs CPU time of the thread per unit, by the clock of {@code ThreadMXBean}; 0 of virtual threads
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
            boolean isVirtual = List.of(arguments).contains(VIRTUAL);
            EngineProgram engine = isVirtual ? virtual(store) : new EngineProgram(new TradeClient(store, 0));
            Exchange.answerEach(Turns.class, engine::work);
            for (TradeClient client : engine.clients) {
                client.close();
            }
        }
    }

    private static EngineProgram virtual(TradeStore store) throws SqlException, IOException {
        List<TradeClient> clients = new ArrayList<>();
        for (int split = 0; split < SPLITS; split++) {
            clients.add(new TradeClient(store, split));
        }
        ThreadFactory stock = LivesOfThreads.virtual();
        ThreadFactory accounted = VirtualThreads.factory(stock);
        return new EngineProgram(
                clients,
                Map.of(
                        Way.NONE, new SplitScheduler(stock, clients, Attribution.None::new),
                        Way.STOPWATCH, new SplitScheduler(accounted, clients, Attribution.ByStopwatch::new)));
    }

    Done work(Turns turns) {
        List<Slice> slices = new ArrayList<>();
        Map<Way, Histogram> unitNs = new EnumMap<>(Way.class);
        turns.ways().forEach(way -> unitNs.computeIfAbsent(way, absent -> emptyHistogram()));
        try {
            for (Way way : turns.ways()) {
                SplitScheduler scheduler = schedulers.get(way);
                Histogram ns = unitNs.get(way);
                slices.add(
                        scheduler == null ? slice(way, turns.cycles(), ns) : slice(scheduler, way, turns.cycles(), ns));
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
        TradeClient client = clients.get(0);
        double units = (double) cycles * TradeClient.CYCLE;
        work(client, attributions.get(way), TradeClient.CYCLE - LEAD_UNITS, TradeClient.CYCLE, leadNs);
        long beginCpuNs = threads.getCurrentThreadCpuTime();
        long beginNs = System.nanoTime();
        work(client, attributions.get(way), 0, cycles * TradeClient.CYCLE, unitNs);
        long wallNs = System.nanoTime() - beginNs;
        long endCpuNs = threads.getCurrentThreadCpuTime();
        judged.settle(endCpuNs);
        return new Slice(way, wallNs / units, (endCpuNs - beginCpuNs) / units);
    }

    private Slice slice(SplitScheduler scheduler, Way way, int quanta, Histogram unitNs)
            throws InterruptedException, ExecutionException {
        scheduler.run(
                1,
                (client, attribution) ->
                        work(client, attribution, TradeClient.CYCLE - LEAD_UNITS, TradeClient.CYCLE, leadNs));
        long beginNs = System.nanoTime();
        scheduler.run(quanta, (client, attribution) -> work(client, attribution, 0, TradeClient.CYCLE, unitNs));
        long wallNs = System.nanoTime() - beginNs;
        return new Slice(way, (double) wallNs / quanta / TradeClient.CYCLE, 0);
    }

    private void work(TradeClient client, Attribution attribution, int fromTurn, int endTurn, Histogram unitNs)
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
