// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.MemoryParts;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** What the library takes in memory. */
final class MemoryTable {
    private final Results results;
    private final Memory memory;

    MemoryTable(Results results) {
        this.results = results;
        this.memory = Memory.of(results);
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("memory, bytes"),
                TextTable.right(Figure.count((long) memory.few()) + " reading thread"),
                TextTable.right(Figure.count((long) memory.many()) + " reading threads"));
        MemoryParts.OWN.forEach(part ->
                table.row(part, count(memory.bytes(part, memory.few())), count(memory.bytes(part, memory.many()))));
        table.row("together", count(memory.ownBytes(memory.few())), count(memory.ownBytes(memory.many())));
        String perThread = "A further thread takes " + Figure.ns(memory.bytesPerThread()) + " bytes. " + runtime()
                + "; from /proc/PID/smaps, the same JVM without the agent taken off; whole pages.";
        String file = "Besides, " + count(memory.bytes(MemoryParts.FILE, memory.few())) + " bytes of the library's "
                + "file are mapped unchanged: the page cache's, and shared by all processes.";
        return new Section("Memory", table, List.of(perThread, file));
    }

    private String runtime() {
        return results.origin().runtimes().stream()
                .filter(each -> each.version().equals(memory.jdk()))
                .findFirst()
                .map(each -> "Source " + each.source() + ", on " + each)
                .orElse("On JDK " + memory.jdk());
    }

    private static String count(long bytes) {
        return Figure.count(bytes);
    }
}
