// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.harness.Figure;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/**
 * What the library takes in memory.
 *
 * @param one with one thread that reads
 * @param many with {@code manyThreads} of them
 */
record MemoryMeasurement(Jdk jdk, String source, MemoryUse one, MemoryUse many, int manyThreads) {
    long processBytes() {
        return one.ownBytes();
    }

    double bytesPerThread() {
        return (double) (many.ownBytes() - one.ownBytes()) / (manyThreads - 1);
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("memory, bytes"),
                TextTable.right("1 reading thread"),
                TextTable.right(Figure.count(manyThreads) + " reading threads"));
        table.row("library's image, written to", count(one.imageBytes()), count(many.imageBytes()));
        table.row("threads' records", count(one.recordBytes()), count(many.recordBytes()));
        table.row("rseq descriptor", count(one.descriptorBytes()), count(many.descriptorBytes()));
        table.row("together", count(one.ownBytes()), count(many.ownBytes()));
        String perThread = "A further thread takes " + Figure.ns(bytesPerThread()) + " bytes. Source " + source
                + ", on " + jdk + "; from /proc/PID/smaps, the same JVM without the agent taken off; whole pages.";
        String file = "Besides, " + count(one.fileBytes()) + " bytes of the library's file are mapped unchanged: the "
                + "page cache's, and shared by all processes.";
        return new Section("Memory", table, List.of(perThread, file));
    }

    private static String count(long bytes) {
        return Figure.count(bytes);
    }
}
