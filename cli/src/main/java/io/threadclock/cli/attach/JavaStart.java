// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.ElfFile;
import io.threadclock.cli.process.Proc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A JVM that is about to be started by {@code java}. If it can be given the agent, the agent is there before main().
 *
 * @param command the program and its arguments
 * @param environment its environment
 */
public record JavaStart(List<String> command, Map<String, String> environment) {
    /**
     * Options with which a JVM that has an agent ends at once, or may: for archives of classes, and files of options.
     */
    private static final Pattern WITHOUT_AGENT = Pattern.compile(
            "@.*|-Xshare:dump|-XX:.*(Archive|AOT).*|-XX:(Flags|VMOptionsFile)=.*|-agentpath:.*threadclock.*");

    private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    /** The start that this process is asked for. */
    public static JavaStart of(List<String> command) {
        return new JavaStart(command, System.getenv());
    }

    /** The option that loads the library; empty if the JVM could not be started with it, or might not. */
    public Optional<String> agentOption(LibraryFile library, String options) {
        Stream<String> words = Stream.concat(
                command.stream().skip(1),
                VARIABLES.stream()
                        .flatMap(name ->
                                Stream.of(environment.getOrDefault(name, "").split("\\s+"))));
        boolean isPossible = words.noneMatch(word -> WITHOUT_AGENT.matcher(word).matches())
                && library.path().toString().indexOf('=') < 0
                && PreloadFile.located(command.get(0), environment)
                        .map(ElfFile::read)
                        .filter(java -> canLoad(java, library))
                        .isPresent();
        return isPossible
                ? Optional.of("-agentpath:" + library.path() + (options.isEmpty() ? "" : "=" + options))
                : Optional.empty();
    }

    /** The version of its JDK, as that JDK's file of facts has it; empty if it has none. */
    public Optional<String> version() {
        return PreloadFile.located(command.get(0), environment).flatMap(java -> {
            try (Stream<String> facts = Files.lines(java.toRealPath().resolveSibling("../release"))) {
                return facts.filter(fact -> fact.startsWith("JAVA_VERSION="))
                        .map(fact -> fact.replaceAll(".*=|\"", ""))
                        .findFirst();
            } catch (IOException | UncheckedIOException unreadable) {
                return Optional.empty();
            }
        });
    }

    /** The library beside this command is of our C library. */
    private static boolean canLoad(ElfFile java, LibraryFile library) {
        return java.canLoad(library.elf())
                && !java.interpreter().isEmpty()
                && java.interpreter().equals(Proc.SYSTEM.self().executable().interpreter());
    }
}
