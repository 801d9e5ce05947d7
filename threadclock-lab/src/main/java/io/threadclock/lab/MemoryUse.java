// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.results.MemoryParts;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What of a process's memory may be the library's. Its anonymous memory is told by its kind: the records are wiped on
 * fork, the rseq descriptor is one read-only page. Other parts of a JVM may have such memory too, hence the difference
 * of two.
 *
 * @param imageBytes of the library's file, written to by this process
 * @param fileBytes of the library's file in memory, not written to: the page cache's, and shared by all processes
 * @param recordBytes resident memory that is wiped on fork
 * @param descriptorBytes resident single pages that can only be read
 */
public record MemoryUse(long imageBytes, long fileBytes, long recordBytes, long descriptorBytes) {
    private static final String WIPED_ON_FORK = "wf";
    private static final long PAGE_BYTES = 4096;

    public static MemoryUse of(List<Mapping> mappings, Path library) {
        Predicate<Mapping> ofLibrary = mapping -> mapping.path().equals(library.toString());
        long imageBytes = mappings.stream().filter(ofLibrary).mapToLong(Mapping::writtenBytes).sum();
        long residentBytes = mappings.stream().filter(ofLibrary).mapToLong(Mapping::residentBytes).sum();
        return new MemoryUse(
                imageBytes,
                residentBytes - imageBytes,
                resident(mappings, mapping -> mapping.flags().contains(WIPED_ON_FORK)),
                resident(mappings, MemoryUse::isReadOnlyPage));
    }

    MemoryUse minus(MemoryUse other) {
        return new MemoryUse(
                imageBytes - other.imageBytes,
                fileBytes - other.fileBytes,
                recordBytes - other.recordBytes,
                descriptorBytes - other.descriptorBytes);
    }

    /** By the names that tables have for them. */
    Map<String, Long> bytesByPart() {
        Map<String, Long> bytes = new LinkedHashMap<>();
        bytes.put(MemoryParts.IMAGE, imageBytes);
        bytes.put(MemoryParts.RECORDS, recordBytes);
        bytes.put(MemoryParts.DESCRIPTOR, descriptorBytes);
        bytes.put(MemoryParts.FILE, fileBytes);
        return bytes;
    }

    private static long resident(List<Mapping> mappings, Predicate<Mapping> kind) {
        return mappings.stream()
                .filter(Mapping::isAnonymous)
                .filter(kind)
                .mapToLong(Mapping::residentBytes)
                .sum();
    }

    private static boolean isReadOnlyPage(Mapping mapping) {
        return mapping.permissions().equals("r--p") && mapping.residentBytes() == PAGE_BYTES;
    }
}
