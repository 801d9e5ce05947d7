// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine.program;

import java.nio.file.Path;

/**
 * One line from the driver: how to attribute work, how long, and the file to write the profile to.
 *
 * @param recording in the format of JFR; the profiler cannot express a comma in its name
 */
public record ProfileRequest(Way way, long durationMs, Path recording) {
    /** @throws IllegalArgumentException if the line is no request */
    public static ProfileRequest parse(String line) {
        String[] words = line.split(" ", 3);
        if (words.length != 3) {
            throw new IllegalArgumentException("no request: " + line);
        }
        return new ProfileRequest(Way.valueOf(words[0]), Long.parseLong(words[1]), Path.of(words[2]));
    }

    @Override
    public String toString() {
        return way + " " + durationMs + " " + recording;
    }
}
