// SPDX-License-Identifier: Apache-2.0
package io.threadclock.diagnostics;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Logs the first failure of a measurement, which must not fail the program that is measured: one warning of
 * {@code java.util.logging}, with the stack trace. Later failures are not logged. Thread-safe; throws nothing.
 *
 * @since 0.1
 */
public final class FailureLog {
    private final String consequence;
    private final AtomicBoolean hasReported = new AtomicBoolean();

    /**
     * Has logged nothing.
     *
     * @param consequence of every such failure: a sentence, which ends the warning
     */
    public FailureLog(String consequence) {
        this.consequence = consequence;
    }

    /**
     * Logs a failure if it is the first one.
     *
     * @param attempt begins the warning: "… failed."
     * @param failed its cause
     */
    public void report(String attempt, Throwable failed) {
        if (hasReported.compareAndSet(false, true)) {
            try {
                Logger.getLogger(FailureLog.class.getName())
                        .log(Level.WARNING, attempt + " failed. " + consequence, failed);
            } catch (Throwable notLogged) { // no java.logging in this runtime, or no memory
                return;
            }
        }
    }
}
