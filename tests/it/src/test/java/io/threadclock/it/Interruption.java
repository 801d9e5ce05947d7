// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Stops all threads of a process for a while, and lets them go on. */
final class Interruption {
    /** Longer than any window of the clock, so that counting this time would show. */
    private static final long STOPPED_MS = 150;

    private static final long LOOK_MS = 5;
    private static final String STOPPED = "State:\tT";

    private Interruption() {}

    static void stop(long pid) {
        run("kill -STOP " + pid);
        awaitStopped(pid);
        sleep(STOPPED_MS);
        run("kill -CONT " + pid);
    }

    /** Reads the threads' registers meanwhile, which shows that all of them were stopped. */
    static void debug(long pid) {
        run("gdb -q -batch -nx -p " + pid + " -ex 'thread apply all -q -s print $pc' -ex detach </dev/null");
    }

    static void awaitStopped(long pid) {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        try {
            while (!Files.readString(status).contains(STOPPED)) {
                sleep(LOOK_MS);
            }
        } catch (IOException gone) {
            throw new AssertionError("process " + pid + " is gone: " + gone, gone);
        }
    }

    private static void run(String command) {
        try {
            assertThat(CCompiler.status(List.of("sh", "-c", command)))
                    .as(command)
                    .isZero();
        } catch (IOException refused) {
            throw new AssertionError(command + " failed: " + refused, refused);
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }

    private static void sleep(long ms) {
        try {
            TimeUnit.MILLISECONDS.sleep(ms);
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
