// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files that a process has mapped, as {@code /proc/PID/maps} lists them. */
public record MemoryMap(List<MappedFile> files) {
    private static final Pattern LINE =
            Pattern.compile("\\S+ \\S+ \\S+ \\S+ \\d+ +(/.*?)( \\(deleted\\))?");

    /**
     * One of them.
     *
     * @param path as this program sees it: in a process with another root, of that root
     * @param isDeleted another file, or none, has its name now
     */
    public record MappedFile(String path, boolean isDeleted) {
        String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    static MemoryMap parse(String text) {
        return new MemoryMap(text.lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> new MappedFile(line.group(1), line.group(2) != null))
                .distinct()
                .toList());
    }

    public List<MappedFile> named(Predicate<String> name) {
        return files.stream().filter(file -> name.test(file.name())).toList();
    }

    public boolean has(Predicate<String> name) {
        return !named(name).isEmpty();
    }
}
