// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import io.threadclock.lab.demo.message.LiveSecond;
import io.threadclock.lab.demo.message.Message;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A program for others to attach to: starts a QuestDB server, ingests a history of trades, says {@code @ready}, and
 * then works in the same threads until its standard input ends. At each {@code @second} it says what it has done since
 * the last one. Nothing in it knows of threadclock.
 *
 * <p>Arguments: the directory for the server's files, and the number of rows to ingest first.
 */
public final class LiveProgram {
    /** Each reads the other's time, and on a machine of any size they leave room for the second terminal. */
    private static final int WORKERS = 2;

    private static final double MEDIAN = 50;
    /** So that an evening's trades do not stay. */
    private static final long DROP_EVERY_NS = TimeUnit.MINUTES.toNanos(1);

    private final TradeStore store;
    private final List<TradeClient> clients = new ArrayList<>();
    private final List<LiveWorker> workers = new ArrayList<>();
    private final List<FutureTask<Void>> tasks = new ArrayList<>();
    private long lastNs = System.nanoTime();
    private long lastDropNs = lastNs;

    private LiveProgram(TradeStore store) {
        this.store = store;
    }

    public static void main(String[] arguments) throws Exception {
        try (TradeStore store = TradeStore.start(Path.of(arguments[0]))) {
            store.ingestHistory(Integer.parseInt(arguments[1]));
            LiveProgram program = new LiveProgram(store);
            program.startWorkers();
            System.out.println(
                    new Message(QuestDbProgram.READY).with(QuestDbProgram.ROWS, TradeQueries.count(store.engine())));
            program.serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
            program.endWorkers();
        }
    }

    private void startWorkers() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            clients.add(new TradeClient(store, i));
            workers.add(new LiveWorker(clients.get(i)));
            tasks.add(new FutureTask<>(workers.get(i)));
            Thread thread = new Thread(tasks.get(i), "worker-" + i);
            // One that fails ends the program with the next second's answer, and must not hold it back.
            thread.setDaemon(true);
            threads.add(thread);
        }
        for (int i = 0; i < WORKERS; i++) {
            workers.get(i).watch(threads.get((i + 1) % WORKERS));
        }
        threads.forEach(Thread::start);
    }

    /** Ends with the input: when the driver closes it, or is gone. */
    private void serve(BufferedReader requests) throws Exception {
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            Optional<Message> message = Message.parse(line);
            if (message.isPresent() && message.get().kind().equals(LiveSecond.KIND)) {
                System.out.println(second().toMessage());
                dropNewTrades();
            }
        }
    }

    private LiveSecond second() throws Exception {
        LiveReadings.CallTimes times = LiveReadings.CallTimes.none();
        long contradictions = 0;
        for (int i = 0; i < WORKERS; i++) {
            if (tasks.get(i).isDone()) {
                tasks.get(i).get();
            }
            times.add(workers.get(i).readings().take());
            contradictions += workers.get(i).takeContradictions();
        }
        long nowNs = System.nanoTime();
        long wallNs = nowNs - lastNs;
        lastNs = nowNs;
        long units = times.timer().getTotalCount();
        return new LiveSecond(
                units,
                wallNs,
                calls(times.user(), times.timer()),
                calls(times.cpu(), times.timer()),
                calls(times.other(), times.timer()),
                contradictions);
    }

    /** The timer's own mean would have the time slices of others in it. */
    private static LiveSecond.Calls calls(Histogram callNs, Histogram timerNs) {
        long timerMedianNs = timerNs.getValueAtPercentile(MEDIAN);
        return new LiveSecond.Calls(
                Math.max(0, callNs.getValueAtPercentile(MEDIAN) - timerMedianNs),
                Math.max(0, Math.round(callNs.getMean()) - timerMedianNs));
    }

    private void dropNewTrades() throws Exception {
        if (System.nanoTime() - lastDropNs >= DROP_EVERY_NS) {
            store.dropNewTrades();
            lastDropNs = System.nanoTime();
        }
    }

    private void endWorkers() throws Exception {
        workers.forEach(LiveWorker::end);
        for (FutureTask<Void> task : tasks) {
            task.get();
        }
        closeClients();
    }

    private void closeClients() throws IOException {
        for (TradeClient client : clients) {
            client.close();
        }
    }
}
