// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which class may reach a terminal otherwise than by the Printer, as the class files say. */
class PrintingWallTest {
    /** Each way there, as javap names it. */
    private static final Pattern WAY = Pattern.compile("// (?:Field|Method|InterfaceMethod|String) ("
            + "java/lang/System\\.(?:out|err|setOut|setErr|console)\\b"
            + "|java/io/FileDescriptor\\.(?:out|err)\\b"
            + "|java/io/Console\\.\\w+"
            + "|java/lang/Throwable\\.printStackTrace:\\(\\)"
            + "|java/lang/ProcessBuilder\\.inheritIO"
            + "|java/lang/ProcessBuilder\\$Redirect\\.INHERIT"
            + "|org/jline/terminal/Terminal\\.(?:writer|output|puts)"
            + "|picocli/CommandLine\\.(?:getOut|getErr|usage)\\b"
            + "|io/threadclock/cli/process/Printer\\.draw"
            + "|/dev/(?:tty|std|fd|pts|console).*)");

    private static final Pattern CLASS = Pattern.compile("(?m)^(?:[a-z-]+ )*(?:class|interface|enum) (?:io\\.threadclock\\.)([\\w.$]+)");

    private static final Set<String> MAY = Set.of(
            // The one way, and what decides whether it leads to a terminal.
            "cli.process.StandardStream java/lang/System.setOut",
            "cli.process.StandardStream java/lang/System.setErr",
            "cli.process.StandardStream java/io/FileDescriptor.out",
            "cli.process.StandardStream java/io/FileDescriptor.err",
            "cli.process.StandardStream /dev/tty",
            "cli.process.StandardStream /dev/pts/",
            "cli.process.StandardStream /dev/console",
            "cli.process.Printer picocli/CommandLine.getOut",
            "cli.process.Printer picocli/CommandLine.getErr",
            // Styles of our own: help, doctor's colours, a line that is overwritten.
            "cli.Help io/threadclock/cli/process/Printer.draw",
            "cli.Doctor io/threadclock/cli/process/Printer.draw",
            "cli.record.StatusLine io/threadclock/cli/process/Printer.draw",
            // Makes each line fit; the program that it runs says nothing of others.
            "cli.top.TerminalScreen org/jline/terminal/Terminal.writer",
            "cli.top.TerminalScreen org/jline/terminal/Terminal.puts",
            "cli.top.TerminalScreen java/lang/ProcessBuilder.inheritIO",
            "cli.attach.AttachSocket java/lang/ProcessBuilder.inheritIO",
            // Programs of their own, whose output another one reads.
            "cli.attach.AttachClient java/lang/System.out",
            "cli.probe.UserTimeProbe java/lang/System.out",
            // Silences QuestDB for a moment.
            "recorder.QuestDbEngine java/lang/System.out",
            "recorder.QuestDbEngine java/lang/System.err",
            "recorder.QuestDbEngine java/lang/System.setOut",
            "recorder.QuestDbEngine java/lang/System.setErr");

    @Test
    void nothingPrintsButThePrinter() throws IOException {
        Set<String> ways = new TreeSet<>();
        collect("threadclock-cli", ways);
        collect("threadclock-recorder", ways);
        assertThat(ways).as("ways to the terminal").contains("cli.top.TerminalScreen org/jline/terminal/Terminal.writer").isSubsetOf(MAY);
    }

    private static void collect(String module, Set<String> ways) throws IOException {
        try (Stream<Path> files = Files.walk(DocumentedScreen.HOME.resolve(module).resolve("target/classes"))) {
            String[] words = Stream.concat(Stream.of("-c", "-p"), files.map(Path::toString).filter(file -> file.endsWith(".class")))
                    .toArray(String[]::new);
            StringWriter listing = new StringWriter();
            PrintWriter printer = new PrintWriter(listing);
            assertThat(ToolProvider.findFirst("javap").orElseThrow().run(printer, printer, words)).isZero();
            for (String section : listing.toString().split("Compiled from ")) {
                Matcher name = CLASS.matcher(section);
                if (name.find()) {
                    WAY.matcher(section).results().forEach(way -> ways.add(name.group(1).replaceFirst("\\$.*", "") + " " + way.group(1)));
                }
            }
        }
    }
}
