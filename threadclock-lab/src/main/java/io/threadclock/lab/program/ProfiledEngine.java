// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.harness.Exchange;
import io.threadclock.lab.program.EngineProgram.Way;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import one.profiler.AsyncProfiler;

/**
 * {@link EngineProgram} under a profiler: works as each {@link Request} says, and answers with the profiler's event.
 *
 * <p>Arguments: the directory for the server's files, and the number of rows to ingest.
 */
public final class ProfiledEngine {
    /** This event sees the kernel's frames. */
    private static final String PERF_EVENT = "cpu-clock";
    /** This event needs no permission, and sees no kernel frames: a system call counts as libc's. */
    private static final String TIMER_EVENT = "ctimer";

    private static final String INTERVAL = "250us";
    private static final int CYCLES_AT_ONCE = 20;

    private final EngineProgram engine;
    private final AsyncProfiler profiler = AsyncProfiler.getInstance();

    private ProfiledEngine(EngineProgram engine) {
        this.engine = engine;
    }

    /**
     * How to attribute work, how long, and the file to write the profile to.
     *
     * @param recording in the format of JFR; the profiler cannot express a comma in its name
     */
    public record Request(Way way, long durationMs, String recording) {}

    public static void main(String[] arguments) throws Exception {
        try (TradeStore store = TradeStore.start(Path.of(arguments[0]))) {
            store.ingestHistory(Integer.parseInt(arguments[1]));
            try (TradeClient client = new TradeClient(store, 0)) {
                ProfiledEngine profiled = new ProfiledEngine(new EngineProgram(client));
                Exchange.answerEach(Request.class, profiled::profile);
            }
        }
    }

    private String profile(Request request) {
        try {
            String event = start(request.recording());
            work(request);
            profiler.execute("stop,file=" + request.recording());
            return event;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private String start(String recording) throws IOException {
        if (PerfPermission.includesKernel()) {
            try {
                return start(PERF_EVENT, recording);
            } catch (IllegalStateException refusedAllTheSame) { // for instance because of a seccomp filter
                return start(TIMER_EVENT, recording);
            }
        }
        return start(TIMER_EVENT, recording);
    }

    private String start(String event, String recording) throws IOException {
        profiler.execute("start,jfr,event=" + event + ",interval=" + INTERVAL + ",file=" + recording);
        return event;
    }

    private void work(Request request) {
        EngineProgram.Turns turns = new EngineProgram.Turns(List.of(request.way()), CYCLES_AT_ONCE);
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(request.durationMs());
        while (System.nanoTime() - endNs < 0) {
            engine.work(turns);
        }
    }

    /**
     * Whether this process may sample the kernel's side of its own threads. If it may not, perf_event_open samples only
     * their user side, and a system call seems to cost nothing.
     */
    static final class PerfPermission {
        private static final Path PARANOID = Path.of("/proc/sys/kernel/perf_event_paranoid");
        private static final Path STATUS = Path.of("/proc/self/status");
        /** From 2 on, only the privileged see the kernel's side. */
        private static final int KERNEL_HIDDEN_FROM = 2;

        private static final String CAPABILITIES = "CapEff:";
        /** CAP_SYS_ADMIN and, since Linux 5.8, CAP_PERFMON: capabilities(7). */
        private static final long PRIVILEGED = 1L << 21 | 1L << 38;

        private PerfPermission() {}

        static boolean includesKernel() throws IOException {
            return Files.exists(PARANOID) && includesKernel(paranoid(), Files.readAllLines(STATUS));
        }

        /**
         * Does not use Files.readString(), which asks for one byte first and then gets no more: only the sign of -1.
         */
        private static String paranoid() throws IOException {
            try (BufferedReader line = Files.newBufferedReader(PARANOID)) {
                return line.readLine().strip();
            }
        }

        static boolean includesKernel(String paranoid, List<String> status) {
            return Integer.parseInt(paranoid) < KERNEL_HIDDEN_FROM
                    || status.stream()
                            .filter(line -> line.startsWith(CAPABILITIES))
                            .map(line -> line.substring(CAPABILITIES.length()).strip())
                            .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) & PRIVILEGED) != 0);
        }
    }
}
