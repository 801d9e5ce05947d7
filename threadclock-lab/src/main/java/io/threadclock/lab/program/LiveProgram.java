// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.questdb.griffin.SqlException;
import io.threadclock.harness.Exchange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A program for others to attach to: starts a QuestDB server, ingests a history of trades, and then works in the same
 * threads until its standard input ends. Whenever it is asked, it says what it has done since it was last asked. Nothing
 * in it knows of threadclock.
 *
 * <p>Arguments: the directory for the server's files, and the number of rows to ingest first.
 */
public final class LiveProgram {
    /** Each worker reads the other's time, and two leave room for the second terminal on any machine. */
    private static final int WORKERS = 2;

    private static final double MEDIAN = 50;
    /** Drops old rows, because those of a whole evening would fill the disk. */
    private static final long DROP_EVERY_NS = TimeUnit.MINUTES.toNanos(1);

    private final TradeStore store;
    private final List<Worker> workers = new ArrayList<>();
    private long lastNs = System.nanoTime();
    private long lastDropNs = lastNs;
    private long lastAboveCpu;

    private LiveProgram(TradeStore store) {
        this.store = store;
    }

    /**
     * The program's work since it was last asked, about a second ago, and the cost of its calls.
     *
     * @param units units of work done
     * @param wallNs how long it has been
     * @param user calls that read the calling thread's user time
     * @param cpu calls that read the calling thread's CPU time
     * @param other calls that read another thread's user time, by its id
     * @param aboveCpu readings that say more user time than CPU time
     */
    public record Second(long units, long wallNs, Calls user, Calls cpu, Calls other, long aboveCpu) {}

    /**
     * Calls of one kind, less the timer around them.
     *
     * @param medianNs wall time of a call, in ns; at least 0
     * @param meanNs the same on average, the time included in which others ran in the midst of a call
     */
    public record Calls(long medianNs, long meanNs) {
        /** Uses the median of the timer, because its mean would include the time slices of other threads. */
        private static Calls of(Histogram callNs, Histogram timerNs) {
            long timerMedianNs = timerNs.getValueAtPercentile(MEDIAN);
            return new Calls(
                    Math.max(0, callNs.getValueAtPercentile(MEDIAN) - timerMedianNs),
                    Math.max(0, Math.round(callNs.getMean()) - timerMedianNs));
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (TradeStore store = TradeStore.start(Path.of(arguments[0]))) {
            store.ingestHistory(Integer.parseInt(arguments[1]));
            LiveProgram program = new LiveProgram(store);
            program.start();
            Exchange.answerEach(Object.class, asked -> program.second());
            program.end();
        }
    }

    private void start() throws Exception {
        for (int i = 0; i < WORKERS; i++) {
            workers.add(new Worker("worker-" + i, new TradeClient(store, i)));
        }
        for (int i = 0; i < WORKERS; i++) {
            workers.get(i).other = workers.get((i + 1) % WORKERS).thread;
        }
        workers.forEach(worker -> worker.thread.start());
    }

    private Second second() {
        List<JudgedReadings.CallTimes> each = new ArrayList<>();
        long aboveCpu = 0;
        for (Worker worker : workers) {
            worker.requireAlive();
            each.add(worker.readings.takeTimes());
            aboveCpu += worker.readings.aboveCpu();
        }
        JudgedReadings.CallTimes times = each.get(0);
        each.subList(1, each.size()).forEach(times::add);
        long nowNs = System.nanoTime();
        Second second = new Second(
                times.timer().getTotalCount(),
                nowNs - lastNs,
                Calls.of(times.user(), times.timer()),
                Calls.of(times.cpu(), times.timer()),
                Calls.of(times.other(), times.timer()),
                aboveCpu - lastAboveCpu);
        lastNs = nowNs;
        lastAboveCpu = aboveCpu;
        dropNewTrades(nowNs);
        return second;
    }

    private void dropNewTrades(long nowNs) {
        if (nowNs - lastDropNs >= DROP_EVERY_NS) {
            try {
                store.dropNewTrades();
            } catch (SqlException refused) {
                throw new IllegalStateException("QuestDB refused to drop the new trades", refused);
            }
            lastDropNs = nowNs;
        }
    }

    private void end() throws Exception {
        workers.forEach(worker -> worker.ending = true);
        for (Worker worker : workers) {
            worker.task.get();
            worker.client.close();
        }
    }

    /** Ingests and queries until it is told to end, and reads its times around each unit of work. */
    private static final class Worker implements Callable<Void> {
        /** The pause between batches. Without it the disk would fill, because this program has no end of its own. */
        private static final long BATCH_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

        private final TradeClient client;
        private final JudgedReadings readings = new JudgedReadings();
        private final FutureTask<Void> task = new FutureTask<>(this);
        private final Thread thread;
        /** Another worker's thread, whose user time this one reads by its id. Set it before this one begins. */
        private Thread other;

        private volatile boolean ending;
        private long nextBatchNs = System.nanoTime();
        /** The results, kept so that no compiler can remove the work. */
        private double found;

        Worker(String name, TradeClient client) {
            this.client = client;
            this.thread = new Thread(task, name);
            // A worker that fails ends the program with the next second's answer, and must not delay that.
            thread.setDaemon(true);
        }

        @Override
        public Void call() throws Exception {
            for (long turn = 0; !ending; turn++) {
                readings.start();
                work(turn);
                readings.stop();
                found += readings.userNsOf(other);
            }
            return null;
        }

        private void work(long turn) throws SqlException, IOException {
            if (System.nanoTime() - nextBatchNs < 0) {
                found += client.query(turn);
            } else {
                client.ingest();
                nextBatchNs += BATCH_EVERY_NS;
            }
        }

        void requireAlive() {
            if (task.isDone()) {
                try {
                    task.get();
                } catch (Exception failed) {
                    throw new IllegalStateException(thread.getName() + " has ended", failed);
                }
            }
        }
    }
}
