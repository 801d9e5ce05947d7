// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.SetupException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The resources of a process that is at rest.
 *
 * @param descriptors open files of any kind
 * @param threads the kernel's threads
 * @param mappings of the library's file, and perf pages
 * @param recordBytes resident memory that is wiped on fork: the library's records and its directory of tids
 * @param residentBytes resident memory of all mappings
 */
record ProcessLook(long descriptors, long threads, long mappings, long recordBytes, long residentBytes) {
    private static final String PERF_PAGE = "anon_inode:[perf_event]";

    private static final Path PID_MAX = Path.of("/proc/sys/kernel/pid_max");
    private static final int WORD_BYTES = 4;

    static ProcessLook at(long pid, Path library) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            List<Mapping> mappings = Mapping.of(pid);
            return new ProcessLook(
                    entries(process.resolve("fd")),
                    entries(process.resolve("task")),
                    mappings.stream().filter(isOf(library)).count(),
                    Mapping.residentBytes(mappings, Mapping::isOfRecords),
                    Mapping.residentBytes(mappings, mapping -> true));
        } catch (IOException refused) {
            throw new SetupException(
                    "Looking into " + process + " failed: " + refused + ". Run the soak where /proc can be read.",
                    refused);
        }
    }

    private static Predicate<Mapping> isOf(Path library) {
        return mapping ->
                mapping.path().equals(library.toString()) || mapping.path().contains(PERF_PAGE);
    }

    private static long entries(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.count();
        }
    }

    /**
     * The library's directory from tid to record. It grows until the kernel has given every tid once:
     * docs/internals/extrapolation.md.
     */
    static long mostDirectoryBytes() {
        // Does not use Files.readString(), which asks for one byte first; such a file then gives no more.
        try (BufferedReader line = Files.newBufferedReader(PID_MAX)) {
            return Long.parseLong(line.readLine().strip()) * WORD_BYTES;
        } catch (IOException refused) {
            throw new SetupException(
                    "Reading " + PID_MAX + " failed: " + refused + ". Run the soak where /proc can be read.", refused);
        }
    }
}
