// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.program.Population;
import io.threadclock.lab.program.Population.Deed;
import io.threadclock.lab.results.Benchmarks;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** How much memory does the library take? This is the difference of two JVMs that differ only in the agent. */
public final class Footprint {
    private static final int MANY_THREADS = 1001;

    private Footprint() {}

    public static void measure(Session session) {
        session.stage("memory");
        try (Contenders jvms = session.start(List.of(Contender.STOCK, Contender.THREADCLOCK), Population.class)) {
            for (int threads : List.of(1, MANY_THREADS)) {
                jvms.ask(new Population.Request(Deed.READS_ITSELF, threads));
                Path library = session.agent().real().path();
                Use use = use(jvms, Contender.THREADCLOCK, library).minus(use(jvms, Contender.STOCK, library));
                use.bytesByPart()
                        .forEach((part, bytes) -> session.add(
                                Benchmarks.MEMORY, Contender.THREADCLOCK.title(), part, threads, "B", bytes));
            }
        }
    }

    private static Use use(Contenders jvms, Contender contender, Path library) {
        return Use.of(Mapping.of(jvms.of(contender).pid()), library);
    }

    /**
     * The part of a process's memory that may be the library's. Its anonymous memory is known by its kind: records are wiped on
     * fork, the rseq descriptor is one read-only page. Other parts of a JVM may have such memory too, hence the difference
     * of two.
     *
     * @param imageBytes of the library's file, written to by this process
     * @param fileBytes of the library's file in memory, not written to: the page cache's, and shared by all processes
     * @param recordBytes resident memory that is wiped on fork
     * @param descriptorBytes resident single pages that can only be read
     */
    record Use(long imageBytes, long fileBytes, long recordBytes, long descriptorBytes) {
        private static final long PAGE_BYTES = 4096;

        static Use of(List<Mapping> mappings, Path library) {
            Predicate<Mapping> ofLibrary = mapping -> mapping.path().equals(library.toString());
            long imageBytes = mappings.stream()
                    .filter(ofLibrary)
                    .mapToLong(Mapping::writtenBytes)
                    .sum();
            long residentBytes = Mapping.residentBytes(mappings, ofLibrary);
            return new Use(
                    imageBytes,
                    residentBytes - imageBytes,
                    Mapping.residentBytes(mappings, Mapping::isOfRecords),
                    Mapping.residentBytes(mappings, Use::isReadOnlyPage));
        }

        Use minus(Use other) {
            return new Use(
                    imageBytes - other.imageBytes,
                    fileBytes - other.fileBytes,
                    recordBytes - other.recordBytes,
                    descriptorBytes - other.descriptorBytes);
        }

        /** The bytes by the names that tables use. */
        Map<String, Long> bytesByPart() {
            Map<String, Long> bytes = new LinkedHashMap<>();
            bytes.put(MemoryParts.IMAGE, imageBytes);
            bytes.put(MemoryParts.RECORDS, recordBytes);
            bytes.put(MemoryParts.DESCRIPTOR, descriptorBytes);
            bytes.put(MemoryParts.FILE, fileBytes);
            return bytes;
        }

        private static boolean isReadOnlyPage(Mapping mapping) {
            return mapping.isAnonymous()
                    && mapping.permissions().equals("r--p")
                    && mapping.residentBytes() == PAGE_BYTES;
        }
    }

    /** The quantities of {@link Benchmarks#MEMORY}. */
    public static final class MemoryParts {
        public static final String IMAGE = "library's image, written to";
        public static final String RECORDS = "threads' records";
        public static final String DESCRIPTOR = "rseq descriptor";
        /** This memory belongs to the page cache, and all processes share it. */
        public static final String FILE = "library's file, unchanged";

        /** The parts that a process would not use without the library. */
        public static final List<String> OWN = List.of(IMAGE, RECORDS, DESCRIPTOR);

        private MemoryParts() {}
    }
}
