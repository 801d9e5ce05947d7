// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Standard output or standard error; all of this program writes there by this class. Text is made safe for a terminal,
 * and only {@code println} ends a line, so that a line feed in a name makes no second line. {@link #draw} prints our
 * own escapes.
 */
public final class Printer extends PrintWriter {
    private Printer(Writer to) {
        super(to, true);
    }

    /** Writes UTF-8 whatever the locale is, which often is C in a container. */
    static Printer to(OutputStream stream) {
        return new Printer(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
    }

    /** Prints to this writer. */
    public static Printer of(Writer writer) {
        return writer instanceof Printer printer ? printer : new Printer(writer);
    }

    /** The command's standard output. */
    public static Printer out(CommandSpec command) {
        return of(command.commandLine().getOut());
    }

    /** The command's standard error. */
    public static Printer err(CommandSpec command) {
        return of(command.commandLine().getErr());
    }

    /** Prints a line of the program's own on the command's standard error. */
    public static void say(CommandSpec command, String line) {
        err(command).println("threadclock: " + line);
    }

    @Override
    public void write(String text, int begin, int length) {
        draw(Printable.line(text.substring(begin, begin + length)));
    }

    @Override
    public void write(char[] text, int begin, int length) {
        draw(Printable.line(new String(text, begin, length)));
    }

    @Override
    public void write(int sign) {
        draw(Printable.line(String.valueOf((char) sign)));
    }

    /** Prints one or more lines of JSON, with escapes that mean the same. */
    public void json(String text) {
        text.lines().map(Printable::json).forEach(line -> {
            draw(line);
            println();
        });
    }

    /** Prints a text unchanged. It may contain words and escapes of this program only. */
    public void draw(String own) {
        super.write(own, 0, own.length());
    }

    /** A stream for text that libraries and the JDK print. */
    PrintStream asStream() {
        return new PrintStream(new Lines(), true, StandardCharsets.UTF_8);
    }

    private final class Lines extends OutputStream {
        private static final int LONGEST = 1 << 16;

        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int sign) {
            if (sign != '\n') {
                line.write(sign);
            }
            if (sign == '\n' || line.size() == LONGEST) {
                println(line.toString(StandardCharsets.UTF_8).replace("\t", "    "));
                line.reset();
            }
        }
    }
}
