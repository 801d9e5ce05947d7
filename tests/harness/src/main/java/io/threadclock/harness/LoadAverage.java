// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The load of the machine by other programs before a measurement began. On a busy machine no result can be trusted. */
public final class LoadAverage {
    /** The load that the launcher has read before it built anything, which is our own work. */
    private static final String BEFORE_BUILDING = "THREADCLOCK_LOAD";
    /** Above this, other programs need every other CPU, and disturb the measurement. */
    private static final double MOST_PER_CPU = 0.5;

    private final String text;

    private LoadAverage(String text) {
        this.text = text.split(" ", 2)[0].strip();
    }

    /** The load of the last minute before the command was given; if it is unknown, the present one. */
    public static LoadAverage before() {
        String before = System.getenv(BEFORE_BUILDING);
        try {
            return new LoadAverage(
                    before == null || before.isEmpty() ? Files.readString(Path.of("/proc/loadavg")) : before);
        } catch (IOException hidden) {
            return new LoadAverage("unknown");
        }
    }

    /**
     * A warning about results that are measured now; empty if there is none.
     *
     * @param cpus number of CPUs of the machine
     */
    public Optional<String> warning(int cpus) {
        boolean isKnown = text.matches("\\d+(\\.\\d+)?");
        if (!isKnown || Double.parseDouble(text) <= MOST_PER_CPU * cpus) {
            return Optional.empty();
        }
        return Optional.of("the load average was " + text + " on " + cpus + (cpus == 1 ? " CPU" : " CPUs")
                + " before this began: others compete for them, and these figures are worthless."
                + " Let the others end, and run this again.");
    }

    /** The load in the kernel's form; "unknown" if it cannot be read. */
    @Override
    public String toString() {
        return text;
    }
}
