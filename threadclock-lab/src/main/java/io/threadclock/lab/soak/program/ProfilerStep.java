// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import one.profiler.AsyncProfiler;

/** A profiler that interrupts the threads a thousand times a second, by one of its timers after the other. */
final class ProfilerStep implements Actor.Step {
    private static final long PROFILED_MS = 500;
    private static final long PAUSE_MS = 100;

    private final AsyncProfiler profiler = AsyncProfiler.getInstance();
    private final Deque<String> events = new ArrayDeque<>(List.of("ctimer", "itimer", "cpu-clock"));

    @Override
    public void take() throws IOException, InterruptedException {
        String event = events.removeFirst();
        if (start(event)) {
            events.addLast(event);
            TimeUnit.MILLISECONDS.sleep(PROFILED_MS);
            profiler.execute("stop");
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    }

    /** False: the kernel refuses this one (a seccomp filter, for instance); the timers it does not. */
    private boolean start(String event) throws IOException {
        try {
            profiler.execute("start,event=" + event + ",interval=1ms");
            return true;
        } catch (IllegalStateException refused) {
            if (events.isEmpty()) {
                throw refused;
            }
            return false;
        }
    }
}
