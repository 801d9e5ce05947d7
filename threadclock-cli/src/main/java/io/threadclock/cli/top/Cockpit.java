// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.view.ThreadView;
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

/** The screen that is left open all day: draws what is seen, and does what keys say. */
public final class Cockpit {
    private static final long LOOK_AT_SIZE_MS = 100; // so long a resize may go unnoticed
    private static final char ESC = 27;
    private static final int BACKSPACE = 127;
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final Subject subject;
    private final String coarseness;
    private final History history = new History();
    private final CommandCost cost = new CommandCost();
    private Controls controls;
    private Sample sample;
    private List<Row> rows = List.of();
    private String notice = "";
    private long waitedNs;
    private String message = "";
    private boolean isOver;

    private Cockpit(Subject subject, String coarseness, Controls controls) {
        this.subject = subject;
        this.coarseness = coarseness;
        this.controls = controls;
    }

    /**
     * Shows the threads until the user quits.
     *
     * @throws IOException if this is no terminal
     */
    public static void run(ThreadView view, Subject subject, Table table, Duration interval) throws IOException {
        Cockpit cockpit = new Cockpit(subject, view.coarseness(), Controls.of(table, interval));
        try (Screen screen = Screen.open();
                Lookout lookout = new Lookout(view, interval)) {
            cockpit.loop(screen, lookout);
        }
    }

    private void loop(Screen screen, Lookout lookout) throws IOException {
        Size drawn = new Size();
        boolean isDue = false;
        for (String typed = ""; typed != null; typed = screen.typed(LOOK_AT_SIZE_MS)) {
            if (!typed.isEmpty() && !obey(typed, screen)) {
                return;
            }
            lookout.every(controls.interval());
            isDue |= take(lookout.poll()) | !typed.isEmpty() | screen.isBlank() | !screen.size().equals(drawn);
            if (isDue && sample != null) {
                drawn = screen.size();
                draw(screen);
                isDue = false;
            }
        }
    }

    /** Whether there is anything new to be seen. */
    private boolean take(Lookout.Report report) {
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

    private void draw(Screen screen) {
        boolean showsTable = !controls.showsHelp();
        screen.draw(lines(screen), showsTable ? Picture.HEAD_LINES : -1);
    }

    private List<String> lines(Screen screen) {
        Size size = screen.size();
        int last = Math.max(0, rows.size() - Picture.rowsIn(size.getRows()));
        controls = controls.scrolledTo(Math.min(controls.scroll(), last));
        Picture picture =
                new Picture(subject, screen.glyphs(), ZoneId.systemDefault(), size.getColumns(), size.getRows());
        return picture.lines(
                new Picture.Scene(controls, sample, rows, history, coarseness, waitedNs, status(), cost.ratio()));
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

    /** False: quit. */
    private boolean obey(String typed, Screen screen) throws IOException {
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
        if (key.filter(Key.QUIT::equals).isPresent()) {
            return false;
        }
        if (key.filter(Key.SUSPEND::equals).isPresent()) {
            screen.suspend();
        }
        key.ifPresent(known -> obey(known, screen));
        rows = sample == null ? rows : controls.table().rows(sample);
        return true;
    }

    private void obey(Key key, Screen screen) {
        int page = Math.max(1, Picture.rowsIn(screen.size().getRows()) - 1);
        controls = switch (key) {
            case HELP -> controls.helped(true);
            case SORT -> controls.sortedBy(controls.table().order().next());
            case CPU -> controls.sortedBy(Order.CPU);
            case TIME -> controls.sortedBy(Order.TIME);
            case NAME -> controls.sortedBy(Order.NAME);
            case FILTER -> controls.typing("");
            case FOLD -> controls.folded();
            case FREEZE -> controls.frozen();
            case FASTER -> controls.faster();
            case SLOWER -> controls.slower();
            case UP -> controls.scrolledTo(controls.scroll() - 1);
            case DOWN -> controls.scrolledTo(controls.scroll() + 1);
            case PAGE_UP -> controls.scrolledTo(controls.scroll() - page);
            case PAGE_DOWN -> controls.scrolledTo(controls.scroll() + page);
            case HOME -> controls.scrolledTo(0);
            case EXPORT -> exported(screen);
            case SUSPEND, QUIT -> controls;
        };
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

    private Controls exported(Screen screen) {
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
