// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Work about one process of many: whatever one of them does, those that watch all of them go on. */
public final class OneOfMany {
    private OneOfMany() {}

    /**
     * The result of the work.
     *
     * @throws Refusal if the work refuses, or fails in any way that is about this process. What a stack or the memory
     *     was too small for has been given up by then
     */
    public static <T> T about(int pid, Supplier<T> work) {
        try {
            return work.get();
        } catch (Refusal | ClosedOutput known) {
            throw known;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError failure) {
            throw new Refusal(
                    "looking at process " + pid,
                    "this command has failed at it: " + failure,
                    "Report that. Other processes are not affected.");
        }
    }

    /** The result of the work; empty if that refuses or fails, which is said in one line. */
    public static <T> Optional<T> tried(int pid, Consumer<String> say, Supplier<T> work) {
        try {
            return Optional.of(about(pid, work));
        } catch (Refusal refusal) {
            say.accept(refusal.getMessage());
            return Optional.empty();
        }
    }
}
