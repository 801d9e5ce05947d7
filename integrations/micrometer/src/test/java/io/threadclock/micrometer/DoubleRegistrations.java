// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** While this is open, collects what Micrometer logs about meters that are registered twice. */
final class DoubleRegistrations extends Handler implements AutoCloseable {
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger(MeterRegistry.class.getName());
    private final Level level = logger.getLevel();

    DoubleRegistrations() {
        setLevel(Level.ALL);
        logger.setLevel(Level.ALL); // it only warns of the first one
        logger.addHandler(this);
    }

    List<String> logged() {
        return logged;
    }

    @Override
    public void publish(LogRecord entry) {
        if (entry.getMessage().contains("already registered")) {
            logged.add(entry.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setLevel(level);
    }
}
