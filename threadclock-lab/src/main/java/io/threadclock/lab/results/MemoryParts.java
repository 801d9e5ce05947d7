// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import java.util.List;

/** The quantities of {@link Benchmarks#MEMORY}. */
public final class MemoryParts {
    public static final String IMAGE = "library's image, written to";
    public static final String RECORDS = "threads' records";
    public static final String DESCRIPTOR = "rseq descriptor";
    /** The page cache's, and shared by all processes. */
    public static final String FILE = "library's file, unchanged";

    /** Those that a process would not use without the library. */
    public static final List<String> OWN = List.of(IMAGE, RECORDS, DESCRIPTOR);

    private MemoryParts() {}
}
