// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.JvmKind;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A process that is about to become a JVM. It may be a shell first, and several programs one after another. */
public final class JvmArrival {
    private final Target process;
    private final Duration timeout;

    public JvmArrival(Target process, Duration timeout) {
        this.process = process;
        this.timeout = timeout;
    }

    /**
     * Waits until the process is a HotSpot that has started.
     *
     * @throws Refusal if the process ends, becomes something else that runs Java, or is no JVM when the time is up
     */
    public Target await() {
        long beginNs = System.nanoTime();
        Target now = process.again();
        JvmKind kind = now.kind();
        while (kind == JvmKind.NONE) {
            if (System.nanoTime() - beginNs > timeout.toNanos()) {
                now.refuseHidden();
                throw noJvm();
            }
            JvmStart.pause();
            now = now.again();
            kind = now.kind();
        }
        now.refuseOtherThanHotSpot();
        return JvmStart.awaitEnd(now, timeout);
    }

    private Refusal noJvm() {
        String tried = "waiting for process " + process.pid() + " to become a JVM";
        return process.childJvm()
                .map(child -> new Refusal(
                        tried,
                        "it has started the JVM as another process, " + child,
                        "Have it started by exec, or attach to it: threadclock attach " + child + "."))
                .orElseGet(() -> new Refusal(
                        tried,
                        "it is no JVM after " + TimeUnit.MILLISECONDS.toSeconds(timeout.toMillis()) + " s",
                        "If it takes longer, say so by --timeout; if another process is the JVM, attach to that."));
    }
}
