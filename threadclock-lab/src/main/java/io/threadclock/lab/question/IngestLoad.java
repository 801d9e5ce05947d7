// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.recorder.JvmName;
import io.threadclock.recorder.LineProtocol;
import io.threadclock.recorder.QuestDbServer;
import io.threadclock.recorder.Sample;
import io.threadclock.recorder.ServerAddress;
import io.threadclock.recorder.StoreFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many rows a second a server takes: simulated JVMs send samples, in which every thread has done something, as fast as
 * the server accepts them. The time ends when all rows can be queried.
 */
final class IngestLoad {
    /** The samples are of the year 2020, a second apart: hours begin as often as in a recording at 1 Hz. */
    private static final long BEGIN_US = 1_577_836_800_000_000L;

    private static final String SAMPLES = "samples";
    private static final long SECOND_US = 1_000_000;
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(2);
    private static final long LOOK_MS = 50;

    private final QuestDbServer server;
    private final ServerAddress address;
    private final int jvms;
    private final int threads;
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    IngestLoad(ServerAddress address, int jvms, int threads) {
        this.server = new QuestDbServer(address);
        this.address = address;
        this.jvms = jvms;
        this.threads = threads;
    }

    /**
     * The result of a run.
     *
     * @param rowsPerSecond up to the moment at which all rows could be queried
     * @param lineBytes the size of one row as it is sent
     */
    record Result(int jvms, int threads, long rows, double seconds, double rowsPerSecond, double lineBytes) {}

    /** @throws StoreFailure if the server does not accept them */
    Result run(Duration duration) throws InterruptedException {
        try {
            server.createTables();
            long before = count();
            long beginNs = System.nanoTime();
            write(beginNs + duration.toNanos());
            awaitRows(before + rows.get());
            double tookS = (System.nanoTime() - beginNs) / 1e9;
            return new Result(jvms, threads, rows.get(), tookS, rows.get() / tookS, (double) bytes.get() / rows.get());
        } catch (IOException failure) {
            throw refusal(failure);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof StoreFailure refused ? refused : refusal(failed.getCause());
        }
    }

    private StoreFailure refusal(Throwable failure) {
        return new StoreFailure(
                "writing to " + address, String.valueOf(failure.getMessage()), "Start the server, or correct --to.");
    }

    private void write(long endNs) throws InterruptedException, ExecutionException {
        ExecutorService writers = Executors.newFixedThreadPool(jvms);
        try {
            List<Callable<Void>> tasks = new ArrayList<>();
            long startTicks = System.currentTimeMillis();
            for (int i = 0; i < jvms; i++) {
                JvmName jvm = new JvmName("host-" + i, "made-up", i + 1, startTicks);
                tasks.add(() -> {
                    write(jvm, endNs);
                    return null;
                });
            }
            for (Future<Void> task : writers.invokeAll(tasks)) {
                task.get();
            }
        } finally {
            writers.shutdownNow();
        }
    }

    /** A request has five seconds of samples. */
    private void write(JvmName jvm, long endNs) throws IOException, InterruptedException {
        long us = BEGIN_US;
        while (System.nanoTime() - endNs < 0) {
            LineProtocol lines = new LineProtocol(address.prefix());
            for (int i = 0; i < 5; i++) {
                us += SECOND_US;
                lines.add(sample(jvm, us));
            }
            byte[] batch = lines.bytes();
            server.write(batch);
            rows.addAndGet(5L * threads);
            bytes.addAndGet(batch.length);
        }
    }

    private Sample sample(JvmName jvm, long us) {
        List<Sample.ThreadTimes> times = new ArrayList<>(threads);
        for (int i = 0; i < threads; i++) {
            times.add(new Sample.ThreadTimes(i, (int) SECOND_US, 1_000_000 + us % 999_983 * i, 100_000L + i));
        }
        return new Sample(
                jvm, us, SECOND_US, threads, new Sample.Whole(SECOND_US, 1, 1), 0, times, List.of(), List.of());
    }

    private void awaitRows(long count) throws IOException, InterruptedException {
        long beginNs = System.nanoTime();
        while (count() < count) {
            if (System.nanoTime() - beginNs > PATIENCE_NS) {
                throw new IOException("not all rows can be queried after " + TimeUnit.NANOSECONDS.toMinutes(PATIENCE_NS)
                        + " minutes");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
    }

    private long count() throws IOException, InterruptedException {
        String answer = server.ask("select count() from " + address.prefix() + SAMPLES);
        return new ObjectMapper()
                .readTree(answer)
                .path("dataset")
                .path(0)
                .path(0)
                .asLong();
    }
}
