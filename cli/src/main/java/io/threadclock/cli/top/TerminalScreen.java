// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.process.Printable;
import io.threadclock.cli.process.StandardStream;
import java.io.IOError;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.PosixSysTerminal;
import org.jline.terminal.impl.exec.ExecPty;
import org.jline.terminal.impl.exec.ExecTerminalProvider;
import org.jline.terminal.spi.SystemStream;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;
import org.jline.utils.OSUtils;

/**
 * The terminal while it is ours. However the program ends, the terminal is left as it was: JLine makes it raw again
 * when a key is read, so no reading, drawing or entering begins once {@link #restore} has, whichever thread calls that.
 */
final class TerminalScreen implements AutoCloseable {
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final String REVERSE = "\u001b[7m";
    private static final String PLAIN = "\u001b[0m";
    /**
     * The locale's encoding, which the launcher tells where it has replaced ASCII. Java's default for files is UTF-8.
     */
    private static final Charset ENCODING =
            Charset.forName(System.getProperty("threadclock.terminal", System.getProperty("native.encoding", "UTF-8")));

    private static final Size USUAL = new Size(80, 24);
    /**
     * JLine looks at this only after the terminal has waited for a tenth of a second. If it were longer, JLine might
     * wait once more, and for a whole line: its own shutdown hook puts the terminal back as well.
     */
    private static final long LEAST_MS = 1;

    private static final long MOST_ENDING_MS = 2_000; // by far longer than a key is waited for
    private static final int ESC = 27;
    private static final int LEAST_COLOURS = 8;

    private final Terminal terminal;
    private final Attributes before;
    private final boolean hasColours;
    private final Thread restorer = new Thread(this::restore, "restore terminal");
    private volatile boolean isResized = true;
    private volatile boolean shallStop;
    private boolean isBlank;
    private Size size = USUAL;
    /** Held while something may make the terminal raw or draw on it. */
    private final ReentrantLock use = new ReentrantLock();

    private volatile boolean isEnding;
    private boolean isRestored;

    private TerminalScreen(Terminal terminal) {
        this.terminal = terminal;
        this.before = terminal.getAttributes();
        this.hasColours = hasColours(terminal);
        terminal.handle(Terminal.Signal.WINCH, resized -> isResized = true);
        terminal.handle(Terminal.Signal.TSTP, asked -> shallStop = true);
        Runtime.getRuntime().addShutdownHook(restorer);
        use(this::takeOver);
    }

    /** See no-color.org. */
    private static boolean hasColours(Terminal terminal) {
        Integer colours = terminal.getNumericCapability(Capability.max_colors);
        return colours != null
                && colours >= LEAST_COLOURS
                && System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
    }

    /** Does it unless the terminal is being put back. */
    private void use(Runnable work) {
        use.lock();
        try {
            if (!isEnding) {
                work.run();
            }
        } finally {
            use.unlock();
        }
    }

    private void takeOver() {
        terminal.enterRawMode();
        Attributes raw = terminal.getAttributes();
        // ^C and ^Z are keys: the terminal does not stop us while the screen is ours.
        raw.setLocalFlag(Attributes.LocalFlag.ISIG, false);
        terminal.setAttributes(raw);
        terminal.puts(Capability.enter_ca_mode);
        terminal.puts(Capability.cursor_invisible);
        terminal.flush();
        isResized = true; // nobody reported a resize while it was not ours
        isBlank = true;
    }

    /** @throws IOException if this is not a terminal */
    static TerminalScreen open() throws IOException {
        if (!StandardStream.IN.isTerminal() || !StandardStream.OUT.isTerminal()) {
            throw new IOException("this is no terminal");
        }
        String type = TerminalType.known(System.getenv().getOrDefault("TERM", ""));
        Terminal terminal = new PosixSysTerminal(
                "threadclock", type, new OwnTerminal(), ENCODING, true, Terminal.SignalHandler.SIG_DFL);
        if (terminal.getStringCapability(Capability.cursor_address) == null) {
            terminal.close();
            throw new IOException("nothing can be drawn on a terminal of the type " + type);
        }
        return new TerminalScreen(terminal);
    }

    /**
     * The terminal of standard input and output. JLine's own way asks tty(1) for its name first, which one that was
     * opened in another place of the file system does not have. JLine runs without natives of its own, so that it
     * unpacks nothing anywhere.
     */
    private static final class OwnTerminal extends ExecPty {
        static {
            String path = System.getenv().getOrDefault("PATH", "") + ":/usr/bin:/bin";
            Stream.of(path.split(":"))
                    .map(folder -> Path.of(folder, "stty"))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .ifPresent(stty -> OSUtils.STTY_COMMAND = stty.toString());
        }

        OwnTerminal() {
            super(new ExecTerminalProvider(), SystemStream.Output, "");
        }
    }

    /** Asking the terminal runs a program, so this is done only when the kernel says that the size has changed. */
    Size size() {
        if (isResized) {
            isResized = false;
            Size now = terminal.getSize();
            size = now.getColumns() < 1 || now.getRows() < 1 ? USUAL : now;
        }
        return size;
    }

    /** Whether nothing has been drawn since the screen became ours again. */
    boolean isBlank() {
        return isBlank;
    }

    Glyphs glyphs() {
        return Glyphs.of(terminal.encoding());
    }

    /** @param headings the index of the line that is shown in reverse; −1: none */
    void draw(List<String> lines, int headings) {
        use(() -> print(lines, headings));
    }

    private void print(List<String> lines, int headings) {
        Glyphs glyphs = glyphs();
        StringBuilder text = new StringBuilder(HOME);
        for (int i = 0; i < lines.size(); i++) {
            text.append(i == 0 ? "" : "\r\n");
            String line = Printable.line(lines.get(i));
            text.append(i == headings ? REVERSE + line + PLAIN : hasColours ? glyphs.coloured(line) : line)
                    .append(CLEAR_LINE);
        }
        PrintWriter writer = terminal.writer();
        writer.print(text.append(CLEAR_BELOW));
        writer.flush();
        isBlank = false;
    }

    /**
     * The keys that were typed within a tenth of a second: a character, or Esc and what follows it; empty: nothing;
     * null: there will be no more input.
     */
    String typed() throws IOException {
        if (shallStop) {
            suspend();
        }
        use.lock();
        try {
            return isEnding ? null : read();
        } finally {
            use.unlock();
        }
    }

    private String read() throws IOException {
        NonBlockingReader reader = terminal.reader();
        int code = reader.read(LEAST_MS);
        if (code == NonBlockingReader.READ_EXPIRED) {
            return "";
        }
        if (code < 0) {
            return null;
        }
        StringBuilder typed = new StringBuilder().appendCodePoint(code);
        while (!isEnding && (code == ESC || typed.length() > 1)) {
            int next = reader.read(LEAST_MS);
            if (next < 0) {
                break;
            }
            typed.appendCodePoint(next);
            if (typed.length() > 2 && (Character.isLetter(next) || next == '~')) {
                break;
            }
        }
        return typed.toString();
    }

    /** Gives the terminal back to the shell, until the shell resumes us. Does nothing without such a shell. */
    void suspend() throws IOException {
        if (isEnding) {
            return;
        }
        shallStop = false;
        leave();
        terminal.handle(Terminal.Signal.TSTP, Terminal.SignalHandler.SIG_DFL);
        stop();
        terminal.handle(Terminal.Signal.TSTP, asked -> shallStop = true);
        use(this::takeOver);
    }

    /** Stops the whole job, as the terminal would, including a launcher that waits for us. */
    private static void stop() throws IOException {
        Process stopper = new ProcessBuilder("/bin/sh", "-c", "kill -s TSTP 0")
                .inheritIO()
                .start();
        try {
            stopper.waitFor();
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for what has begun, such as the reading of a key. What still runs then waits in the kernel, and sets
     * nothing.
     */
    private void restore() {
        isEnding = true;
        boolean isOurs = false;
        try {
            isOurs = use.tryLock(MOST_ENDING_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        try {
            if (!isRestored) {
                isRestored = true;
                leave();
            }
        } finally {
            if (isOurs) {
                use.unlock();
            }
        }
    }

    private void leave() {
        terminal.puts(Capability.cursor_visible);
        boolean hasOtherScreen = terminal.getStringCapability(Capability.exit_ca_mode) != null;
        // A tmux window that was made larger meanwhile shows a part of the other screen on ours.
        terminal.writer().print(hasOtherScreen ? HOME + CLEAR_BELOW : "\r\n");
        terminal.puts(Capability.exit_ca_mode);
        terminal.flush();
        try {
            terminal.setAttributes(before);
        } catch (IOError gone) {
            return; // as after its window was closed
        }
    }

    @Override
    public void close() throws IOException {
        restore();
        terminal.close();
        try {
            Runtime.getRuntime().removeShutdownHook(restorer);
        } catch (IllegalStateException endingAlready) {
            return;
        }
    }
}
