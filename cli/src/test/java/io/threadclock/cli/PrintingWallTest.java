// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.threadclock.cli.process.Printer;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jline.terminal.Terminal;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests which classes may reach a terminal without the Printer, by their class files. */
class PrintingWallTest {
    /** The ways to a terminal, in these classes and their subclasses; no name means all methods of the class. */
    private static final Map<Class<?>, Set<String>> WAYS = Map.of(
            System.class, Set.of("out", "err", "setOut", "setErr", "console"),
            FileDescriptor.class, Set.of("out", "err"),
            Console.class, Set.of(),
            Throwable.class, Set.of("printStackTrace"),
            ProcessBuilder.class, Set.of("inheritIO"),
            ProcessBuilder.Redirect.class, Set.of("INHERIT"),
            Terminal.class, Set.of("writer", "output", "puts"),
            CommandLine.class, Set.of("getOut", "getErr", "usage"),
            Printer.class, Set.of("draw"));

    private static final Set<String> MAY = Set.of(
            // The only class that prints, and the one that decides whether a stream is a terminal.
            "cli.process.StandardStream System.setOut",
            "cli.process.StandardStream System.setErr",
            "cli.process.StandardStream FileDescriptor.out",
            "cli.process.StandardStream FileDescriptor.err",
            "cli.process.Printer CommandLine.getOut",
            "cli.process.Printer CommandLine.getErr",
            // Our own styles: help, doctor's colours, a line that is overwritten.
            "cli.Help Printer.draw",
            "cli.Doctor Printer.draw",
            "cli.record.StatusLine Printer.draw",
            // Makes each line safe; the program that it runs prints no words of others.
            "cli.top.TerminalScreen Terminal.writer",
            "cli.top.TerminalScreen Terminal.puts",
            "cli.top.TerminalScreen ProcessBuilder.inheritIO",
            // Silences QuestDB for a moment.
            "recorder.QuestDbEngine System.out",
            "recorder.QuestDbEngine System.err",
            "recorder.QuestDbEngine System.setOut",
            "recorder.QuestDbEngine System.setErr");

    @Test
    void nothingPrintsButThePrinter() {
        JavaClasses classes =
                new ClassFileImporter().importPaths(folder("cli/target/classes"), folder("recorder/target/classes"));
        Set<String> ways = classes.stream()
                .flatMap(type -> type.getAccessesFromSelf().stream())
                .filter(PrintingWallTest::isWay)
                .map(access -> nameOf(access.getOriginOwner()) + " "
                        + access.getTargetOwner().getSimpleName() + "." + access.getName())
                .collect(Collectors.toSet());
        assertThat(ways).as("ways to the terminal").isEqualTo(MAY);
    }

    private static boolean isWay(JavaAccess<?> access) {
        if (access.getOriginOwner().isEquivalentTo(Printer.class)
                && access.getTargetOwner().isEquivalentTo(Printer.class)) {
            return false;
        }
        boolean hasPlace = access.getName().equals("printStackTrace")
                && access instanceof JavaCodeUnitAccess<?> call
                && !call.getTarget().getRawParameterTypes().isEmpty();
        return !hasPlace
                && WAYS.entrySet().stream()
                        .anyMatch(way -> access.getTargetOwner().isAssignableTo(way.getKey())
                                && (way.getValue().isEmpty() || way.getValue().contains(access.getName())));
    }

    private static String nameOf(JavaClass type) {
        return type.getName().replaceFirst("^io\\.threadclock\\.", "").replaceFirst("\\$.*", "");
    }

    /** Reads the sources, because ArchUnit sees no literals. */
    @Test
    void nothingButStandardStreamNamesATerminal() throws IOException {
        try (Stream<Path> files =
                Stream.concat(Files.walk(folder("cli/src/main")), Files.walk(folder("recorder/src/main")))) {
            assertThat(files.filter(file -> file.toString().endsWith(".java") && namesATerminal(file))
                            .map(file -> file.getFileName().toString()))
                    .containsExactly("StandardStream.java");
        }
    }

    private static boolean namesATerminal(Path file) {
        try {
            String text = Files.readString(file);
            return Stream.of("tty", "std", "fd", "pts", "console")
                    .anyMatch(device -> text.contains("\"/dev/" + device));
        } catch (IOException failure) {
            throw new AssertionError(file.toString(), failure);
        }
    }

    private static Path folder(String path) {
        return DocumentedScreen.HOME.resolve(path);
    }
}
