// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.threads.ThreadReader;
import io.threadclock.cli.threads.ThreadSnapshot;
import java.io.IOError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import org.jline.terminal.Size;

/** The screen that stays open all day: it draws the threads, and obeys keys. */
public final class TopScreen {
    private static final char ESC = 27;
    private static final int BACKSPACE = 127;
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final WatchedProcess subject;
    private final ThreadReader reader;
    private final History history = new History();
    private final CommandCost cost = new CommandCost();
    private Controls controls;
    private UsageSample sample;
    private List<Row> rows = List.of();
    private String notice = "";
    private long waitedNs;
    private String message = "";
    private boolean isOver;
    private String cursor = ""; // the key of the row with the cursor
    private StackPane stack;

    private TopScreen(WatchedProcess subject, ThreadReader reader, Controls controls) {
        this.subject = subject;
        this.reader = reader;
        this.controls = controls;
    }

    /**
     * Shows the threads until the user quits.
     *
     * @throws IOException if this is no terminal, or one that fails
     */
    public static void run(ThreadReader reader, WatchedProcess subject, ThreadTable table, Duration interval)
            throws IOException {
        TopScreen top = new TopScreen(subject, reader, Controls.of(table, interval));
        try (TerminalScreen screen = TerminalScreen.open();
                BackgroundSampler sampler = new BackgroundSampler(reader, interval)) {
            top.loop(screen, sampler);
        } catch (IOError broken) { // stty(1) could not be started, for example
            throw new IOException(broken.getCause().getMessage(), broken);
        }
    }

    private void loop(TerminalScreen screen, BackgroundSampler sampler) throws IOException {
        Size drawn = new Size();
        boolean isDue = false;
        for (String typed = ""; typed != null; typed = screen.typed()) {
            if (!typed.isEmpty() && !obey(typed, screen)) {
                return;
            }
            sampler.every(controls.interval());
            isDue |= stack != null && stack.hasCome();
            isDue |= take(sampler.poll())
                    | !typed.isEmpty()
                    | screen.isBlank()
                    | !screen.size().equals(drawn);
            if (isDue && sample != null) {
                drawn = screen.size();
                draw(screen);
                isDue = false;
            }
        }
    }

    /** Whether there is anything new to show. */
    private boolean take(BackgroundSampler.Report report) {
        if (report == null) {
            return false;
        }
        if (report.isOver()) {
            isOver = true;
            message = "";
        }
        notice = report.notice();
        if (report.sample() != null) {
            waitedNs = report.waitedNs();
            cost.update();
            history.add(report.sample());
            if (!controls.isFrozen() || sample == null) {
                sample = report.sample();
                rows = controls.table().rows(sample);
            }
        }
        return true;
    }

    // ---- drawing ----

    private void draw(TerminalScreen screen) {
        boolean showsTable = !controls.showsHelp() && stack == null;
        screen.draw(lines(screen), showsTable ? ScreenText.HEAD_LINES : -1);
    }

    private List<String> lines(TerminalScreen screen) {
        Size size = screen.size();
        int room = ScreenText.rowsIn(size.getRows());
        int last = Math.max(0, rows.size() - room);
        controls = controls.scrolledTo(Math.min(scrollToCursor(room), last));
        ScreenText picture =
                new ScreenText(subject, screen.glyphs(), ZoneId.systemDefault(), size.getColumns(), size.getRows());
        return picture.lines(new ScreenText.Scene(
                controls, sample, rows, history, reader.coarseness(), waitedNs, status(), cost.ratio(), cursor, stack));
    }

    /** Moves the cursor with its row, and scrolls the rows with it. */
    private int scrollToCursor(int room) {
        int at = cursorIndex();
        return at < 0 ? controls.scroll() : Math.min(at, Math.max(controls.scroll(), at - room + 1));
    }

    /** Returns −1 if there is no cursor, or its row has disappeared. */
    private int cursorIndex() {
        for (int i = 0; i < rows.size() && !cursor.isEmpty(); i++) {
            if (rows.get(i).key().equals(cursor)) {
                return i;
            }
        }
        return -1;
    }

    private String status() {
        if (!message.isEmpty()) {
            return message;
        }
        if (isOver) {
            return "process " + subject.pid() + ": " + notice + ". This is what was seen last. q=quit e=export";
        }
        return notice.isEmpty() ? "" : "process " + subject.pid() + ": " + notice;
    }

    // ---- keys ----

    /** Returns false to quit. */
    private boolean obey(String typed, TerminalScreen screen) throws IOException {
        message = "";
        if (controls.isTyping()) {
            type(typed);
            return true;
        }
        Optional<Key> key = typed.charAt(0) == ESC ? Key.ofSequence(typed.substring(1)) : Key.of(typed.codePointAt(0));
        if (controls.showsHelp()) {
            controls = controls.helped(false);
            return key.filter(Key.QUIT::equals).isEmpty();
        }
        if (key.filter(Key.SUSPEND::equals).isPresent()) {
            screen.suspend();
        } else if (stack != null) {
            obeyAtStack(key.orElse(Key.HELP), screen);
            return true;
        }
        if (key.filter(Key.QUIT::equals).isPresent()) {
            return false;
        }
        key.ifPresent(known -> obey(known, screen));
        rows = sample == null ? rows : controls.table().rows(sample);
        return true;
    }

    private void obey(Key key, TerminalScreen screen) {
        int page = Math.max(1, ScreenText.rowsIn(screen.size().getRows()) - 1);
        controls = switch (key) {
            case HELP -> controls.helped(true);
            case SORT -> controls.sortedBy(controls.table().order().next());
            case CPU -> controls.sortedBy(Order.CPU);
            case TIME -> controls.sortedBy(Order.TIME);
            case NAME -> controls.sortedBy(Order.NAME);
            case WAIT -> controls.sortedBy(Order.WAIT);
            case SWITCHES -> controls.sortedBy(Order.SWITCHES);
            case FILTER -> controls.typing("");
            case FOLD -> controls.folded();
            case FREEZE -> controls.frozen();
            case FASTER -> controls.faster();
            case SLOWER -> controls.slower();
            case UP -> moved(-1);
            case DOWN -> moved(1);
            case PAGE_UP -> scrolledBy(-page);
            case PAGE_DOWN -> scrolledBy(page);
            case HOME -> scrolledBy(-controls.scroll());
            case EXPORT -> exported(screen);
            case STACK -> withStack();
            case SUSPEND, QUIT -> controls;
        };
    }

    /** Moves the cursor, which begins at the first visible row. */
    private Controls moved(int by) {
        int at = cursorIndex();
        int next = at < 0 ? controls.scroll() : Math.max(0, Math.min(rows.size() - 1, at + by));
        cursor = next < rows.size() ? rows.get(next).key() : "";
        return controls;
    }

    /** Scrolls away from the cursor, which then disappears. */
    private Controls scrolledBy(int by) {
        cursor = "";
        return controls.scrolledTo(controls.scroll() + by);
    }

    // ---- a thread's stack ----

    private Controls withStack() {
        int at = Math.max(0, cursorIndex());
        if (isOver || sample == null || at >= rows.size()) {
            message = "no stack: " + (isOver ? notice : "there is no thread");
            return controls;
        }
        if (rows.get(at).isVirtual()) {
            message =
                    "no stack: these are virtual threads; jcmd " + subject.pid() + " Thread.dump_to_file writes theirs";
        }
        busiest(rows.get(at)).ifPresent(thread -> stack = new StackPane(reader, thread));
        return controls;
    }

    /** For a pool, the thread that uses most at present. */
    private Optional<ThreadSnapshot> busiest(Row row) {
        ThreadTable unfolded = new ThreadTable(Order.CPU, controls.table().filter(), false);
        return unfolded.rows(sample).stream()
                .filter(one -> one.key().equals(row.key()) || (row.isPool() && one.isIn(row)))
                .findFirst()
                .flatMap(one -> sample.threads().stream()
                        .map(ThreadRate::thread)
                        .filter(thread -> thread.tid() == one.tid())
                        .findFirst());
    }

    private void obeyAtStack(Key key, TerminalScreen screen) {
        int page = Math.max(1, ScreenText.rowsIn(screen.size().getRows()) - 1);
        switch (key) {
            case UP -> stack.scrollBy(-1);
            case DOWN -> stack.scrollBy(1);
            case PAGE_UP -> stack.scrollBy(-page);
            case PAGE_DOWN -> stack.scrollBy(page);
            case HOME -> stack.scrollBy(Integer.MIN_VALUE / 2);
            case EXPORT -> exported(screen);
            default -> stack = null;
        }
    }

    private void type(String typed) {
        char first = typed.charAt(0);
        if (first == '\r' || first == '\n') {
            controls = controls.filteredBy(controls.typed());
        } else if (first == ESC) {
            controls = controls.filteredBy("");
        } else if (first == BACKSPACE || first == '\b') {
            String text = controls.typed();
            controls = controls.typing(text.substring(0, Math.max(0, text.length() - 1)));
        } else if (first >= ' ') {
            controls = controls.typing(controls.typed() + typed);
        }
        rows = sample == null ? rows : controls.table().rows(sample);
    }

    private Controls exported(TerminalScreen screen) {
        if (sample == null) {
            return controls;
        }
        Path file = Path.of("threadclock-top-" + subject.pid() + "-" + STAMP.format(LocalDateTime.now()) + ".txt");
        try {
            Files.write(file, lines(screen), StandardOpenOption.CREATE_NEW);
            message = "written to " + file.toAbsolutePath();
        } catch (IOException refused) {
            message = "writing " + file.toAbsolutePath() + ": " + refused.getMessage();
        }
        return controls;
    }
}
