// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine.program;

import io.questdb.griffin.SqlException;
import io.threadclock.lab.program.Answer;
import io.threadclock.lab.demo.program.TradeClient;
import io.threadclock.lab.demo.program.TradeStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import one.profiler.AsyncProfiler;

/**
 * The engine under a profiler: works as each {@link ProfileRequest} says, and answers with the profiler's event.
 *
 * <p>Arguments: the directory for the server's files, and the number of rows to ingest.
 */
public final class ProfiledEngine {
    /** Sees the kernel's frames. */
    private static final String PERF_EVENT = "cpu-clock";
    /** Needs no permission and sees none: a system call is all libc's. */
    private static final String TIMER_EVENT = "ctimer";

    private static final String INTERVAL = "250us";
    private static final int CYCLES_AT_ONCE = 20;

    private final EngineWorker worker;
    private final AsyncProfiler profiler = AsyncProfiler.getInstance();

    private ProfiledEngine(EngineWorker worker) {
        this.worker = worker;
    }

    public static void main(String[] arguments) throws Exception {
        try (TradeStore store = TradeStore.start(Path.of(arguments[0]))) {
            store.ingestHistory(Integer.parseInt(arguments[1]));
            try (TradeClient client = new TradeClient(store, 0)) {
                ProfiledEngine engine = new ProfiledEngine(new EngineWorker(client));
                Answer.toEachLine(line -> engine.profile(ProfileRequest.parse(line)));
            }
        }
    }

    private String profile(ProfileRequest request) {
        try {
            String event = start(request.recording());
            work(request);
            profiler.execute("stop,file=" + request.recording());
            return event;
        } catch (SqlException refused) {
            throw new IllegalStateException("QuestDB refused a query", refused);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private String start(Path recording) throws IOException {
        if (PerfPermission.includesKernel()) {
            try {
                return start(PERF_EVENT, recording);
            } catch (IllegalStateException refusedAllTheSame) { // a seccomp filter, for instance
                return start(TIMER_EVENT, recording);
            }
        }
        return start(TIMER_EVENT, recording);
    }

    private String start(String event, Path recording) throws IOException {
        profiler.execute("start,jfr,event=" + event + ",interval=" + INTERVAL + ",file=" + recording);
        return event;
    }

    private void work(ProfileRequest request) throws SqlException, IOException {
        TurnsRequest turns = new TurnsRequest(List.of(request.way()), CYCLES_AT_ONCE);
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(request.durationMs());
        while (System.nanoTime() - endNs < 0) {
            worker.work(turns);
        }
    }
}
