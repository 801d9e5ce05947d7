// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;

/** While this is open, collects what a class logs, and keeps it from the console. */
final class Logged implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;

    Logged(Class<?> source) {
        logger = Logger.getLogger(source.getName());
        logger.setLevel(Level.ALL); // Micrometer only warns of the first of several
        logger.setFilter(line -> !lines.add(line.getMessage()));
    }

    List<String> lines(String part) {
        return lines.stream().filter(line -> line.contains(part)).toList();
    }

    @Override
    public void close() {
        logger.setFilter(null);
        logger.setLevel(null);
    }
}
