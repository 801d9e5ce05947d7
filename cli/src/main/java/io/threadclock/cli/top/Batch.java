// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.threadclock.CpuQuota;
import io.threadclock.cli.process.Printable;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.threads.ThreadReader;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Prints the table for programs, as one block a sample. Text has a line about the process that begins with '#', a line
 * of headings that stays the same, and a line a row, whose words are separated by spaces; the name, which may have
 * spaces, comes last. JSON has one object a line.
 */
public final class Batch {
    /** Scripts rely on this line, so it stays as it is. New columns go before NAME. */
    static final String HEADINGS =
            "     TID JAVAID KIND    S   %USER %SYSTEM    %CPU       USER_S        CPU_S THREADS MOUNTS/S"
                    + "   %WAIT SWITCH/S   ALLOC_MB    MB/S NAME";
    /** In place of what could be known, and is not. */
    static final String UNKNOWN = "?";
    /** In place of what a row does not have. */
    static final String NONE = "-";

    private final WatchedProcess subject;
    private final ThreadTable table;
    private final int limit;
    private final int stacks;
    private final boolean json;
    private final Printer out;
    private final AllocationMeter allocations = new AllocationMeter();

    /**
     * @param limit the most rows to print
     * @param stacks of how many threads to print the stacks
     */
    public Batch(WatchedProcess subject, ThreadTable table, int limit, int stacks, boolean json, Printer out) {
        this.subject = subject;
        this.table = table;
        this.limit = limit;
        this.stacks = stacks;
        this.json = json;
        this.out = out;
    }

    /** Asks for stacks only if they are of use. */
    public void print(UsageSample taken, ThreadReader reader) {
        List<Row> costliest = table.costliest(taken, stacks);
        boolean asksForAll = table.order() == Order.ALLOC;
        Set<Integer> wanted = asksForAll
                ? taken.threads().stream().map(usage -> usage.thread().tid()).collect(Collectors.toSet())
                : costliest.stream().map(Row::tid).collect(Collectors.toSet());
        Map<Integer, List<String>> found = wanted.isEmpty() ? Map.of() : reader.stacks(wanted);
        UsageSample sample = asksForAll ? taken.with(allocations.take(taken, found)) : taken;
        List<Row> rows = table.rows(sample);
        List<Row> shown = rows.subList(0, Math.min(limit, rows.size()));
        if (json) {
            printJson(sample, shown, costliest, found);
        } else {
            printText(sample, shown, costliest, found);
        }
    }

    private void printText(UsageSample sample, List<Row> rows, List<Row> costliest, Map<Integer, List<String>> found) {
        out.println(head(sample));
        out.println(HEADINGS);
        rows.forEach(row -> out.println(line(row)));
        for (Row row : costliest) {
            out.println(String.format(
                    Locale.ROOT,
                    "# stack tid=%d %%cpu=%s %s",
                    row.tid(),
                    percent("%.2f", row.rate().cpu()),
                    printable(row.name())));
            stackOf(row, found).forEach(line -> out.println("    " + StackPane.printable(line)));
        }
        out.println();
    }

    /** The JVM may not have answered, and the thread may have ended before it did. */
    private static List<String> stackOf(Row row, Map<Integer, List<String>> found) {
        return found.getOrDefault(row.tid(), List.of());
    }

    private String head(UsageSample sample) {
        return String.format(
                Locale.ROOT,
                "# %s pid=%d threads=%d %%user=%s %%system=%s %%cpu=%s quota=%s source=%s %%view=%.2f elapsed=%.3f oldest=%.3f",
                sample.snapshot().wall().truncatedTo(ChronoUnit.MILLIS),
                subject.pid(),
                sample.snapshot().threadCount(),
                percent("%.1f", sample.process().user()),
                percent("%.1f", sample.process().system()),
                percent("%.1f", sample.process().cpu()),
                words(subject.quota()),
                sample.snapshot().source(),
                percent(sample.ownRatio()),
                seconds(sample.elapsedNs()),
                seconds(sample.snapshot().oldestReadingNs()));
    }

    private static String words(CpuQuota quota) {
        if (!quota.isKnown()) {
            return UNKNOWN;
        }
        return quota.groups().isEmpty() ? "none" : String.format(Locale.ROOT, "%.2f", quota.cpus());
    }

    private String line(Row row) {
        return String.format(
                Locale.ROOT,
                "%8s %6s %-7s %c %7s %7s %7s %12.6f %12.6f %7d %8s %7s %8s %10s %7s %s",
                row.isPool() ? NONE : row.tid(),
                row.javaId() == 0 ? NONE : row.javaId(),
                row.kind(),
                subject.state(row),
                percent("%.2f", row.rate().user()),
                percent("%.2f", row.rate().system()),
                percent("%.2f", row.rate().cpu()),
                seconds(row.userNs()),
                seconds(row.cpuNs()),
                row.threads(),
                row.isVirtual() ? String.format(Locale.ROOT, "%.1f", row.mountsPerS()) : NONE,
                ofWaits(row, "%.2f", waits -> percent(waits.waiting())),
                ofWaits(row, "%.1f", WaitRate::switchesPerS),
                ofAllocation(row, Allocation::bytes),
                ofAllocation(row, Allocation::bytesPerS),
                printable(row.name()));
    }

    /** In MB. */
    private String ofAllocation(Row row, ToDoubleFunction<Allocation> bytes) {
        if (table.order() != Order.ALLOC || row.isVirtual()) {
            return NONE;
        }
        double figure = row.allocation() == null ? Double.NaN : bytes.applyAsDouble(row.allocation());
        return Double.isNaN(figure) ? UNKNOWN : String.format(Locale.ROOT, "%.1f", figure / 1e6);
    }

    /** A figure of a row's waits. */
    static String ofWaits(Row row, String format, ToDoubleFunction<WaitRate> figure) {
        if (row.isVirtual()) {
            return NONE;
        }
        return row.waits() == null ? UNKNOWN : String.format(Locale.ROOT, format, figure.applyAsDouble(row.waits()));
    }

    private void printJson(UsageSample sample, List<Row> rows, List<Row> costliest, Map<Integer, List<String>> found) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("time", sample.snapshot().wall().toString());
        object.put("pid", subject.pid());
        object.put("source", sample.snapshot().source());
        object.put("threads", sample.snapshot().threadCount());
        CpuQuota quota = subject.quota();
        if (!quota.groups().isEmpty()) {
            object.put("quotaCores", quota.cpus());
        }
        object.put("viewUsageRatio", sample.ownRatio());
        object.put("elapsedNs", sample.elapsedNs());
        object.put("oldestReadingNs", sample.snapshot().oldestReadingNs());
        put(
                object.putObject("process"),
                sample.process(),
                sample.snapshot().process().userNs(),
                sample.snapshot().process().cpuNs());
        rows.forEach(row -> object.withArray("rows").add(node(row)));
        for (Row row : costliest) {
            ObjectNode node = object.withArray("stacks").addObject();
            node.put("tid", row.tid());
            node.put("name", row.name());
            node.put("cpuUsageRatio", row.rate().cpu());
            ArrayNode lines = node.putArray("stack");
            stackOf(row, found).forEach(lines::add);
        }
        out.json(object.toString());
    }

    private ObjectNode node(Row row) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("name", row.name());
        node.put("kind", row.kind().toString());
        node.put("threads", row.threads());
        if (!row.isPool()) {
            node.put("tid", row.tid());
            node.put("javaId", row.javaId());
            node.put("state", String.valueOf(subject.state(row)));
        }
        if (row.isVirtual()) {
            node.put("mountsPerS", row.mountsPerS());
        }
        if (row.waits() != null) {
            node.put("waitingRatio", row.waits().waiting());
            node.put("switchesPerS", row.waits().switchesPerS());
        }
        if (row.allocation() != null) {
            node.put("allocatedBytes", row.allocation().bytes());
            if (!Double.isNaN(row.allocation().bytesPerS())) {
                node.put("allocatedBytesPerS", row.allocation().bytesPerS());
            }
        }
        put(node, row.rate(), row.userNs(), row.cpuNs());
        return node;
    }

    private static void put(ObjectNode node, Rate rate, long userNs, long cpuNs) {
        if (rate.isKnown()) {
            node.put("userUsageRatio", rate.user());
            node.put("systemUsageRatio", rate.system());
            node.put("cpuUsageRatio", rate.cpu());
        }
        node.put("userNs", userNs);
        node.put("cpuNs", cpuNs);
    }

    /** A name may contain anything, and a line must be one thread. */
    static String printable(String name) {
        return name.isEmpty() ? "?" : Printable.line(name);
    }

    /** A part of a {@link Rate}. */
    static String percent(String format, double ratio) {
        return Double.isNaN(ratio) ? UNKNOWN : String.format(Locale.ROOT, format, percent(ratio));
    }

    private static double percent(double ratio) {
        return 100 * ratio;
    }

    private static double seconds(long ns) {
        return ns / 1e9;
    }
}
