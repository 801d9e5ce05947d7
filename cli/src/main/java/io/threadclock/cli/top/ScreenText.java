// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.CpuQuota;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jline.utils.WCWidth;

/** The screen as lines of text. No line is wider than the terminal, and there are no more lines than it has. */
record ScreenText(WatchedProcess subject, Glyphs glyphs, ZoneId zone, int width, int height) {
    static final int HEAD_LINES = 4;

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final double SPARK_LEAST = 0.02;
    /** From this ratio on, a percentage with a fraction is wider than its column. */
    private static final double WIDE = 9.9995;

    private static final long STALE_NS = 500_000_000;
    private static final String CURSOR = ">";
    private static final String HINT = "?=help q=quit";

    /**
     * The state to draw.
     *
     * @param cursor the key of the row with the cursor; empty if there is none
     * @param stack null if the table is shown
     */
    record Scene(
            Controls controls,
            UsageSample sample,
            List<Row> rows,
            History history,
            String coarseness,
            long waitedNs,
            String notice,
            double commandRatio,
            String cursor,
            StackPane stack) {}

    static int rowsIn(int height) {
        return Math.max(0, height - HEAD_LINES - 1);
    }

    List<String> lines(Scene scene) {
        List<String> lines = new ArrayList<>(head(scene));
        if (scene.controls.showsHelp()) {
            lines.addAll(help());
        } else if (scene.stack != null) {
            lines.add("");
            lines.addAll(scene.stack.lines(rowsIn(height)));
        } else {
            int names = scene.rows.stream()
                    .mapToInt(row -> columns(name(row)))
                    .max()
                    .orElse(0);
            Columns columns = new Columns(width, scene.controls.table().order(), names);
            lines.add(headings(columns));
            lines.addAll(rows(scene, columns));
        }
        return lines.stream().limit(height).map(line -> cut(line, width)).toList();
    }

    // ---- the head ----

    private List<String> head(Scene scene) {
        UsageSample sample = scene.sample;
        List<String> lines = new ArrayList<>();
        String clock = CLOCK.format(sample.snapshot().wall().atZone(zone));
        lines.add(apart(
                "threadclock top  " + Batch.printable(subject.name()) + " (pid " + subject.pid() + ")",
                clock + "  every " + seconds(scene.controls.interval())));
        lines.add(process(sample));
        lines.add(String.format(
                Locale.ROOT,
                "threads %d  source %s  reading costs it %.2f %% of a core, and top %.1f %%",
                sample.snapshot().threadCount(),
                sample.snapshot().source(),
                100 * sample.ownRatio(),
                100 * scene.commandRatio));
        lines.add(status(scene));
        return lines;
    }

    private String process(UsageSample sample) {
        Rate rate = sample.process();
        CpuQuota quota = subject.quota();
        int allowed = subject.allowedCpus();
        double whole = Math.min(quota.cpus(), allowed == 0 ? Double.POSITIVE_INFINITY : allowed);
        String text = String.format(
                Locale.ROOT,
                "CPU %s %%  user %s  system %s  of %s %% (%s)  ",
                Batch.percent("%.1f", rate.cpu()),
                Batch.percent("%.1f", rate.user()),
                Batch.percent("%.1f", rate.system()),
                whole < Double.POSITIVE_INFINITY ? String.format(Locale.ROOT, "%.0f", 100 * whole) : Batch.UNKNOWN,
                !quota.groups().isEmpty() && quota.cpus() <= whole
                        ? "quota"
                        : quota.isKnown() ? "its CPUs" : "its CPUs, quota unknown");
        int room = Math.min(40, width - text.length());
        return room < Columns.BAR_WIDTH ? text : text + glyphs.bar(rate, whole, room);
    }

    private String status(Scene scene) {
        Controls controls = scene.controls;
        if (controls.isTyping()) {
            return "filter: " + controls.typed() + "_";
        }
        if (!scene.notice.isEmpty()) {
            return scene.notice;
        }
        if (scene.stack != null) {
            return apart(scene.stack.title(), "k j=scroll, else=back");
        }
        List<String> words = new ArrayList<>();
        words.add("sort " + controls.table().order());
        words.add(controls.table().folds() ? "pools folded" : "pools unfolded");
        if (!controls.table().filter().isEmpty()) {
            words.add("filter \"" + controls.table().filter() + "\"");
        }
        if (controls.isFrozen()) {
            words.add("FROZEN");
        }
        if (!scene.coarseness.isEmpty()) {
            words.add(scene.coarseness);
        }
        words.addAll(throttled(
                scene.waitedNs,
                controls.interval().toNanos(),
                scene.sample.snapshot().oldestReadingNs()));
        return apart(String.join("  ", words), HINT);
    }

    /** Says what the agent's budget does not allow: so many requests, or reading all threads each time. */
    static List<String> throttled(long waitedNs, long intervalNs, long oldestNs) {
        List<String> words = new ArrayList<>();
        if (waitedNs > intervalNs) {
            words.add(String.format(Locale.ROOT, "its budget allows every %.1f s", waitedNs / 1e9));
        }
        if (oldestNs > Math.max(STALE_NS, 2 * intervalNs)) {
            words.add(String.format(Locale.ROOT, "some read %.1f s ago", oldestNs / 1e9));
        }
        return words;
    }

    // ---- the table ----

    private static String headings(Columns columns) {
        if (columns.isNarrow()) {
            return String.format("%6s %-7s %s", "%CPU", "KIND", "NAME");
        }
        return String.format("%6s %-" + Columns.BAR_WIDTH + "s", "%CPU", "USER+SYS")
                + waits(columns, "WAIT", "SWITCH/s")
                + String.format(" %8s %s %-7s %7s ", "TIME", "S", "KIND", "TID")
                + last(columns, "LAST")
                + "NAME";
    }

    /** The columns between bar and time. */
    private static String waits(Columns columns, String waiting, String switches) {
        return (columns.hasWait() ? String.format(" %" + Columns.WAIT_WIDTH + "s", waiting) : "")
                + (columns.hasSwitches() ? String.format(" %" + Columns.SWITCHES_WIDTH + "s", switches) : "");
    }

    /** The column between tid and name. */
    private static String last(Columns columns, String text) {
        return columns.spark() == 0 ? "" : pad(text, columns.spark()) + " ";
    }

    private List<String> rows(Scene scene, Columns columns) {
        double whole = scene.rows.stream()
                .map(Row::rate)
                .filter(Rate::isKnown)
                .mapToDouble(Rate::cpu)
                .reduce(1, Math::max);
        return scene.rows.stream()
                .skip(scene.controls.scroll())
                .limit(rowsIn(height))
                .map(row -> marked(
                        line(row, columns, scene.history, whole), row.key().equals(scene.cursor)))
                .toList();
    }

    /** Marks the row in the first column, which is empty below 1,000 % of CPU usage. */
    private static String marked(String line, boolean isAtCursor) {
        return isAtCursor && line.startsWith(" ") ? CURSOR + line.substring(1) : line;
    }

    private String line(Row row, Columns columns, History history, double whole) {
        String usage = String.format("%6s ", Batch.percent("%.1f", row.rate().cpu()));
        if (columns.isNarrow()) {
            return usage + String.format("%-7s %s", row.kind(), name(row));
        }
        double[] ratios = history.of(row);
        String threads = row.isPool() ? "" + glyphs.times() + row.threads() : Integer.toString(row.tid());
        return usage
                + glyphs.bar(row.rate(), whole, Columns.BAR_WIDTH)
                + waits(columns, waiting(row), Batch.ofWaits(row, "%,.0f", WaitRate::switchesPerS))
                + String.format(" %8s %c %-7s %7s ", time(row.cpuNs()), subject.state(row), row.kind(), threads)
                + last(columns, glyphs.sparkline(ratios, most(ratios), columns.spark()))
                + name(row);
    }

    private static String waiting(Row row) {
        boolean isLong = row.waits() != null && row.waits().waiting() >= WIDE;
        return Batch.ofWaits(row, isLong ? "%.0f" : "%.1f", waits -> 100 * waits.waiting());
    }

    /** Virtual threads are indented below their carriers, and have their mounts per second behind the name. */
    private static String name(Row row) {
        String name = Batch.printable(row.name());
        return row.mountsPerS() > 0
                ? String.format(Locale.ROOT, "  %s  %,.0f/s", name, row.mountsPerS())
                : row.isVirtual() ? "  " + name : name;
    }

    /** Scales to the row itself, so that small changes are visible, but noise is not. */
    private static double most(double[] ratios) {
        return Arrays.stream(ratios).filter(ratio -> !Double.isNaN(ratio)).reduce(SPARK_LEAST, Math::max);
    }

    /** Shows seconds to 10 ms, then minutes, then hours. */
    static String time(long cpuNs) {
        long ms = cpuNs / 1_000_000;
        if (ms < 1_000_000) {
            return String.format(Locale.ROOT, "%.2f s", ms / 1000.0);
        }
        long minutes = ms / 60_000;
        return minutes < 1000 ? minutes + " min" : minutes / 60 + " h";
    }

    private List<String> help() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        for (Key key : Key.values()) {
            if (!key.label().isEmpty()) {
                lines.add("  " + pad(key.label(), 6) + key.effect());
            }
        }
        lines.add("");
        lines.add("  USER+SYS  " + glyphs.bar(new Rate(0.5, 0.3), 1, Columns.BAR_WIDTH)
                + "  user time, system time; the whole is a core, or the");
        lines.add("            highest row if that uses more. LAST: CPU usage in the last samples,");
        lines.add("            each row on a scale of its own. TID: " + glyphs.times() + "8 is a pool of 8 threads.");
        lines.add("  WAIT      waiting for a CPU, 100 is one thread; SWITCH/s: context switches");
        lines.add("  KIND      java, carrier, virtual (on those), gc, jit, vm, native, view (ours)");
        return lines;
    }

    // ---- text ----

    private static String seconds(Duration interval) {
        return interval.toMillis() % 1000 == 0 ? interval.toSeconds() + " s" : interval.toMillis() / 1000.0 + " s";
    }

    /** Puts one text at the left edge, and one at the right. */
    private String apart(String left, String right) {
        int room = width - columns(left) - columns(right);
        return room < 2 ? left : left + " ".repeat(room) + right;
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - columns(text)));
    }

    private static int columns(String text) {
        return text.codePoints().map(code -> Math.max(0, WCWidth.wcwidth(code))).sum();
    }

    static String cut(String text, int width) {
        int columns = 0;
        int end = 0;
        while (end < text.length()) {
            int code = text.codePointAt(end);
            columns += Math.max(0, WCWidth.wcwidth(code));
            if (columns > width) {
                break;
            }
            end += Character.charCount(code);
        }
        return text.substring(0, end);
    }
}
