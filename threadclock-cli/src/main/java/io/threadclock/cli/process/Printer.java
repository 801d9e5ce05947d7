// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Standard output or standard error; nothing else of this program writes there. Text is made fit for a terminal, and lines
 * end by {@code println} alone: a line feed in a name makes no second line. Escapes of our own go by {@link #draw}.
 */
public final class Printer extends PrintWriter {
    private Printer(Writer to) {
        super(to, true);
    }

    /** UTF-8 whatever the locale, which often is C in a container. */
    static Printer to(FileDescriptor stream) {
        return new Printer(new OutputStreamWriter(new FileOutputStream(stream), StandardCharsets.UTF_8));
    }

    /** Prints there. */
    public static Printer of(Writer writer) {
        return writer instanceof Printer printer ? printer : new Printer(writer);
    }

    /** Standard output as this command has it. */
    public static Printer out(CommandSpec command) {
        return of(command.commandLine().getOut());
    }

    /** Standard error as this command has it. */
    public static Printer err(CommandSpec command) {
        return of(command.commandLine().getErr());
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

    /** A line of JSON, or several: with escapes, which say the same. */
    public void json(String text) {
        text.lines().map(Printable::json).forEach(line -> {
            draw(line);
            println();
        });
    }

    /** As it is: words and escapes of this program, and none of others. */
    public void draw(String own) {
        super.write(own, 0, own.length());
    }

    /** What libraries and the JDK print takes this way, too. */
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
