// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One mapping of a process, as /proc/PID/smaps shows it.
 *
 * @param path of the file that is mapped, or what the kernel calls it; empty for anonymous memory
 * @param permissions for instance {@code r--p}
 * @param residentBytes of it in memory
 * @param writtenBytes of these, what this process alone has written to: its copies, not a page of a file that is still
 *     on its way to the disk
 * @param flags the words of VmFlags
 */
record Mapping(String path, String permissions, long residentBytes, long writtenBytes, List<String> flags) {
    private static final Pattern HEAD =
            Pattern.compile("[0-9a-f]+-[0-9a-f]+ (\\S{4}) [0-9a-f]+ [0-9a-f]+:[0-9a-f]+ \\d+ *(.*)");
    private static final Pattern FIELD = Pattern.compile("(\\w+): +(\\d+) kB");
    private static final String WIPED_ON_FORK = "wf";
    private static final String FLAGS = "VmFlags:";
    private static final long BYTES_PER_KB = 1024;

    /**
     * All of a process.
     *
     * @throws SetupException if it may not be looked into
     */
    static List<Mapping> of(long pid) {
        Path smaps = Path.of("/proc", Long.toString(pid), "smaps");
        try {
            return parse(Files.readAllLines(smaps));
        } catch (IOException refused) {
            throw new SetupException(
                    "Reading " + smaps + " failed: " + refused + ". Run it where /proc can be read.", refused);
        }
    }

    static List<Mapping> parse(List<String> smaps) {
        List<Mapping> mappings = new ArrayList<>();
        int begin = 0;
        for (int line = 1; line <= smaps.size(); line++) {
            if (line == smaps.size() || HEAD.matcher(smaps.get(line)).matches()) {
                mappings.add(ofLines(smaps.subList(begin, line)));
                begin = line;
            }
        }
        return mappings;
    }

    static long residentBytes(List<Mapping> mappings, Predicate<Mapping> kind) {
        return mappings.stream().filter(kind).mapToLong(Mapping::residentBytes).sum();
    }

    boolean isAnonymous() {
        return path.isEmpty();
    }

    /** Whether it may be the library's threads' records: anonymous memory that is wiped on fork. */
    boolean isOfRecords() {
        return isAnonymous() && flags.contains(WIPED_ON_FORK);
    }

    private static Mapping ofLines(List<String> lines) {
        Matcher head = HEAD.matcher(lines.get(0));
        if (!head.matches()) {
            throw new IllegalArgumentException("no line of smaps: " + lines.get(0));
        }
        long residentBytes = bytes(lines, "Rss");
        long writtenBytes = bytes(lines, "Anonymous");
        List<String> flags = lines.stream()
                .filter(line -> line.startsWith(FLAGS))
                .findFirst()
                .map(line -> List.of(line.substring(FLAGS.length()).strip().split(" ")))
                .orElse(List.of());
        return new Mapping(head.group(2), head.group(1), residentBytes, writtenBytes, flags);
    }

    private static long bytes(List<String> lines, String field) {
        return lines.stream()
                .map(FIELD::matcher)
                .filter(matcher -> matcher.matches() && matcher.group(1).equals(field))
                .mapToLong(matcher -> Long.parseLong(matcher.group(2)) * BYTES_PER_KB)
                .sum();
    }
}
