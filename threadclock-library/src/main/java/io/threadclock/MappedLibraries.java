// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The copies of libthreadclock.so that this process has mapped and that still have their names. */
final class MappedLibraries {
    private static final Path MAPS = Paths.get("/proc/self/maps");
    private static final Pattern LINE =
            Pattern.compile("(?m)^\\S+ \\S+ \\S+ \\S+ \\d+ +(/.*/libthreadclock[^/\\n]*)$");
    private static final String DELETED = " (deleted)";

    private MappedLibraries() {}

    /** None where /proc is not mounted: a copy of our own is then the second one, which works too. */
    static Set<Path> ofThisProcess() {
        try {
            return in(new String(Files.readAllBytes(MAPS), StandardCharsets.UTF_8));
        } catch (IOException | SecurityException unreadable) {
            return new LinkedHashSet<>();
        }
    }

    static Set<Path> in(String maps) {
        Set<Path> files = new LinkedHashSet<>();
        Matcher line = LINE.matcher(maps);
        while (line.find()) {
            if (!line.group(1).endsWith(DELETED)) {
                add(line.group(1), files);
            }
        }
        return files;
    }

    /** Where the locale is C, Java has no path for a name that is not ASCII. */
    private static void add(String name, Set<Path> files) {
        try {
            files.add(Paths.get(name));
        } catch (InvalidPathException unnameable) {
            return;
        }
    }

    static boolean has(Path file) {
        try {
            return ofThisProcess().contains(file.toRealPath());
        } catch (IOException | SecurityException absent) {
            return false;
        }
    }
}
