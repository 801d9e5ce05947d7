// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The streams with which this program was started, by their descriptors. */
public enum StandardStream {
    IN,
    OUT,
    ERR;

    private static final int USUAL_COLUMNS = 80;
    /** Of a file's mode, see inode(7). */
    private static final int KIND = 0170000;

    private static final int FIFO = 0010000;
    private static final int SOCKET = 0140000;

    /**
     * The printer to which this program, and any library in it, prints from now on. If standard output cannot be
     * written, it throws {@link ClosedOutput}, or a {@link Refusal}; failures of standard error are ignored.
     *
     * @throws IllegalStateException for the stream that is read
     */
    public Printer printer() {
        Printer printer = Printer.to(stream());
        if (this == OUT) {
            System.setOut(printer.asStream());
        } else {
            System.setErr(printer.asStream());
        }
        return printer;
    }

    private OutputStream stream() {
        return switch (this) {
            case OUT -> new Output();
            case ERR -> new FileOutputStream(FileDescriptor.err);
            case IN -> throw new IllegalStateException("nothing is printed there");
        };
    }

    /** Throws what a PrintWriter does not swallow, so that the command ends. */
    private static final class Output extends FileOutputStream {
        Output() {
            super(FileDescriptor.out);
        }

        @Override
        public void write(byte[] bytes, int begin, int length) {
            try {
                super.write(bytes, begin, length);
            } catch (IOException failure) {
                throw OUT.isFile()
                        ? new Refusal(
                                "printing",
                                "standard output cannot be written: " + failure.getMessage(),
                                "Make room there, or print elsewhere.")
                        : new ClosedOutput(failure);
            }
        }
    }

    /** Whether it is something that cannot lose its reader. */
    private boolean isFile() {
        try {
            int kind = (Integer) Files.getAttribute(link(), "unix:mode") & KIND;
            return kind != FIFO && kind != SOCKET && !isTerminal();
        } catch (IOException closed) {
            return false;
        }
    }

    private Path link() {
        return Path.of("/proc/self/fd", Integer.toString(ordinal()));
    }

    /**
     * Whether it is a terminal. {@code System.console()} asks about the first two at once, and JDK 22 to 24 have one
     * without any terminal.
     */
    public boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(link()).toString();
            return target.matches("/dev/(pts/|tty|console$|hvc|lxc/).*");
        } catch (IOException unknown) {
            return false;
        }
    }

    /** The width of its terminal; if it is none, or does not tell, the usual width. */
    public int columns() {
        if (!isTerminal()) {
            return USUAL_COLUMNS;
        }
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String[] size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .split(" ");
            int columns = size.length == 2 ? Integer.parseInt(size[1]) : 0;
            return columns > 2 ? columns : USUAL_COLUMNS;
        } catch (IOException | NumberFormatException unknown) {
            return USUAL_COLUMNS;
        }
    }
}
