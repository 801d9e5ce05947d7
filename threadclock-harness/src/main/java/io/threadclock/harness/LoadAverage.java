// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** How busy the machine was with other things before a measurement began: on a busy one no figure can be trusted. */
public final class LoadAverage {
    /** What the launcher has read before it built what was missing, which is work of our own. */
    private static final String BEFORE_BUILDING = "THREADCLOCK_LOAD";
    /** Above, somebody else needs every other CPU: too many to stay out of the way of what is measured. */
    private static final double MOST_PER_CPU = 0.5;

    private final String text;

    private LoadAverage(String text) {
        this.text = text.split(" ", 2)[0].strip();
    }

    /** That of the last minute before the command was given; where it is not known, that of now. */
    public static LoadAverage before() {
        return of(System.getenv(), Path.of("/proc/loadavg"));
    }

    static LoadAverage of(Map<String, String> environment, Path file) {
        try {
            String before = environment.getOrDefault(BEFORE_BUILDING, "");
            return new LoadAverage(before.isEmpty() ? Files.readString(file) : before);
        } catch (IOException hidden) {
            return new LoadAverage("unknown");
        }
    }

    /**
     * What to say of figures that are measured now; empty: nothing.
     *
     * @param cpus that the machine has
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

    /** As the kernel writes it; "unknown" where it cannot be read. */
    @Override
    public String toString() {
        return text;
    }
}
