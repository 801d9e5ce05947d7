// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The mappings of a process, as {@code /proc/PID/maps} lists them. */
public record MemoryMap(List<Mapping> mappings) {
    private static final Pattern LINE = Pattern.compile(
            "(\\p{XDigit}{1,16})-(\\p{XDigit}{1,16}) (\\S{4}) \\S+ (\\S+) (\\d+) *(?:(/.*?)( \\(deleted\\))?|.*)");
    private static final int START = 1;
    private static final int END = 2;
    private static final int PERMISSIONS = 3;
    private static final int DEVICE = 4;
    private static final int INODE = 5;
    private static final int PATH = 6;
    private static final int DELETED = 7;

    /**
     * A line of the list.
     *
     * @param permissions for instance {@code rw-p}
     * @param file empty if no file is mapped
     */
    public record Mapping(long start, long end, String permissions, Optional<MappedFile> file) {
        boolean isExecutable() {
            return permissions.charAt(2) == 'x';
        }

        private boolean follows(Mapping before) {
            return start == before.end && (file.isEmpty() || file.equals(before.file));
        }
    }

    /**
     * A file that is mapped.
     *
     * @param path as this program sees it; for a process with another root, relative to that root
     * @param device major and minor number, in the kernel's form
     * @param isDeleted whether its name is now that of another file, or of none
     */
    public record MappedFile(String path, String device, String inode, boolean isDeleted) {
        String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }

        MappedFile at(String otherPath) {
            return new MappedFile(otherPath, device, inode, isDeleted);
        }
    }

    static MemoryMap parse(String text) {
        return new MemoryMap(text.lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(MemoryMap::mapping)
                .toList());
    }

    private static Mapping mapping(Matcher line) {
        return new Mapping(
                Long.parseUnsignedLong(line.group(START), 16),
                Long.parseUnsignedLong(line.group(END), 16),
                line.group(PERMISSIONS),
                Optional.ofNullable(line.group(PATH))
                        .map(path -> new MappedFile(
                                path, line.group(DEVICE), line.group(INODE), line.group(DELETED) != null)));
    }

    /** Each file once. */
    public List<MappedFile> named(Predicate<String> name) {
        return files(mappings.stream(), name);
    }

    /** The files whose code can be run. */
    List<MappedFile> executable(Predicate<String> name) {
        return files(mappings.stream().filter(Mapping::isExecutable), name);
    }

    private static List<MappedFile> files(Stream<Mapping> mappings, Predicate<String> name) {
        return mappings.flatMap(mapping -> mapping.file.stream())
                .filter(file -> name.test(file.name()))
                .distinct()
                .toList();
    }

    public boolean has(Predicate<String> name) {
        return !named(name).isEmpty();
    }

    /**
     * The places of files with such a name: for each file its mappings, and the anonymous ones that follow without a
     * gap.
     */
    public List<List<Mapping>> places(Predicate<String> name) {
        List<List<Mapping>> places = new ArrayList<>();
        List<Mapping> place = List.of();
        for (Mapping mapping : mappings) {
            if (!place.isEmpty() && mapping.follows(place.get(place.size() - 1))) {
                place.add(mapping);
            } else {
                place = new ArrayList<>();
                if (mapping.file.filter(file -> name.test(file.name())).isPresent()) {
                    place.add(mapping);
                    places.add(place);
                }
            }
        }
        return places;
    }
}
