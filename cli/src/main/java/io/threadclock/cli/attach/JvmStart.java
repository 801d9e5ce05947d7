// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.JvmKind;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The start of a JVM, seen from outside. Its end must be polled: a JVM may be asked once it catches SIGQUIT, and finds
 * every class once it has started.
 */
public final class JvmStart {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(5);
    /** After this time, a JVM that can be asked has started, though it does not say so: JDK 8 with -XX:-UsePerfData. */
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private JvmStart() {}

    /**
     * Waits until a process is a HotSpot that has started. It may be a shell first, and several programs one after
     * another.
     *
     * @throws Refusal if the process ends, becomes something else that runs Java, or is no JVM when the time is up
     */
    public static Target awaitJvm(Target process, Duration timeout) {
        long beginNs = System.nanoTime();
        Target now = process.again();
        while (now.kind() == JvmKind.NONE) {
            if (System.nanoTime() - beginNs > timeout.toNanos()) {
                now.refuseHidden();
                throw noJvm(process, timeout);
            }
            pause();
            now = now.again();
        }
        now.refuseOtherThanHotSpot();
        return awaitEnd(now, timeout);
    }

    private static Refusal noJvm(Target process, Duration timeout) {
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

    /**
     * Waits for the end of the start, at most for {@code timeout}.
     *
     * @return the process as it is then, which may still be one that cannot be asked
     * @throws Refusal if the process has ended
     */
    public static Target awaitEnd(Target target, Duration timeout) {
        long beginNs = System.nanoTime();
        long askableNs = 0;
        Target now = target.again();
        while (!now.hasStarted()
                && !now.status().isStopped()
                && now.frozenBy().isEmpty()
                && System.nanoTime() - beginNs < timeout.toNanos()) {
            if (askableNs == 0 && now.isAskable()) {
                askableNs = System.nanoTime();
            }
            if (askableNs != 0 && System.nanoTime() - askableNs > LONGEST.toNanos()) {
                break;
            }
            pause();
            now = now.again();
        }
        return now.again(); // its status was read before it was seen to have started, so read it again
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_AGAIN.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
