// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The mounts that a process sees, as {@code /proc/PID/mountinfo} lists them. A later one covers an earlier one. */
public record MountTable(List<Mount> mounts) {
    private static final int POINT = 4;
    private static final int OPTIONS = 5;
    private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

    /** A mount; {@code options} are those of the mount, not of its file system. */
    record Mount(String point, List<String> options) {
        private boolean holds(String path) {
            return path.equals(point) || path.startsWith(point.endsWith("/") ? point : point + "/");
        }
    }

    static MountTable parse(String text) {
        return new MountTable(text.lines()
                .map(line -> line.split(" "))
                .filter(fields -> fields.length > OPTIONS)
                .map(fields -> new Mount(unescaped(fields[POINT]), List.of(fields[OPTIONS].split(","))))
                .toList());
    }

    /** Whether no file on the mount that holds {@code path} may be executed, so that no library there can be loaded. */
    public boolean forbidsExecution(Path path) {
        return hasOption(path, "noexec");
    }

    private boolean hasOption(Path path, String option) {
        Mount deepest = null;
        for (Mount mount : mounts) {
            if (mount.holds(path.toString())
                    && (deepest == null
                            || mount.point().length() >= deepest.point().length())) {
                deepest = mount;
            }
        }
        return deepest != null && deepest.options().contains(option);
    }

    /** The kernel writes a blank and some other characters as a backslash and three octal digits. */
    private static String unescaped(String text) {
        return OCTAL.matcher(text).replaceAll(MountTable::character);
    }

    private static String character(MatchResult octal) {
        return Matcher.quoteReplacement(Character.toString(Integer.parseInt(octal.group(1), 8)));
    }
}
