// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The copies of libthreadclock.so whose code this process runs, and which still have their file names. A file that is
 * only mapped as data does not count, whatever its name.
 */
final class MappedLibraries {
    private static final Path MAPS = Paths.get("/proc/self/maps");
    private static final Pattern LINE =
            Pattern.compile("(?m)^\\S+ \\S\\Sx\\S \\S+ (\\S+ \\d+) +(/.*/libthreadclock[^/\\n]*)$");
    private static final String DELETED = " (deleted)";

    private MappedLibraries() {}

    /**
     * The copies that nobody but root and this process's user can write or replace, so that it is safe to load one
     * again. There are none where /proc is not mounted; the library then loads its own copy, as a second one, which
     * works too.
     */
    static Set<Path> ofThisProcess() {
        Map<Path, String> mapped = all();
        mapped.entrySet().removeIf(library -> !SafeFile.is(library.getKey(), library.getValue()));
        return mapped.keySet();
    }

    private static Map<Path, String> all() {
        try {
            return in(new String(Files.readAllBytes(MAPS), StandardCharsets.UTF_8));
        } catch (IOException | SecurityException unreadable) {
            return new LinkedHashMap<>();
        }
    }

    /** Each copy with the device and inode that the kernel lists for it. */
    static Map<Path, String> in(String maps) {
        Map<Path, String> files = new LinkedHashMap<>();
        Matcher line = LINE.matcher(maps);
        while (line.find()) {
            if (!line.group(2).endsWith(DELETED)) {
                add(line.group(2), line.group(1), files);
            }
        }
        return files;
    }

    /** In the locale C, Java has no path for a name that is not ASCII. */
    private static void add(String name, String numbers, Map<Path, String> files) {
        try {
            files.put(Paths.get(name), numbers);
        } catch (InvalidPathException unnameable) {
            return;
        }
    }

    /** Whether this mapping is a copy of libthreadclock.so, whoever may write it. */
    static boolean has(Path file) {
        try {
            return all().containsKey(file.toRealPath());
        } catch (IOException | SecurityException absent) {
            return false;
        }
    }
}
