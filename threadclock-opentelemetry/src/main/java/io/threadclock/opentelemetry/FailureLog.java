// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Logs the first failure, and no other one. Thread-safe. */
final class FailureLog {
    private final String consequence;
    private final AtomicBoolean hasReported = new AtomicBoolean();

    FailureLog(String consequence) {
        this.consequence = consequence;
    }

    void report(String attempt, Throwable failed) {
        if (hasReported.compareAndSet(false, true)) {
            Logger.getLogger(FailureLog.class.getName())
                    .log(Level.WARNING, attempt + " failed. " + consequence, failed);
        }
    }
}
