// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.ElfFile;
import io.threadclock.cli.process.ForeignPath;
import io.threadclock.cli.process.Proc;
import io.threadclock.cli.process.Refusal;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** libthreadclock-preload.so, as a file that a program can be started with. */
public record PreloadFile(Path path) {
    /** The name of the file. */
    public static final String NAME = "libthreadclock-preload.so";

    private static final int SETUID = 04000;
    private static final int SETGID = 02000;
    private static final int MOST_SCRIPTS = 4;
    private static final int MOST_LINE_BYTES = 256;
    /** The encoding in which {@link Path} gives names to the kernel. */
    private static final Charset OF_PATHS = Charset.forName(System.getProperty("sun.jnu.encoding"));

    /**
     * The build that the program can load, beside the library or with the builds for all platforms.
     *
     * @param program a path, or a name that PATH leads to
     * @throws Refusal if the loader of the program would ignore it, or there is no such build
     */
    public static PreloadFile of(LibraryFile own, String program, Map<String, String> environment) {
        String tried = "preloading threadclock into " + program;
        Optional<Path> file = located(program, environment).map(found -> interpreted(found, environment));
        ElfFile elf = file.map(ElfFile::read).orElseGet(PreloadFile::own);
        file.ifPresent(found -> refuseDeaf(tried, found, elf));
        Path library = Stream.concat(Stream.of(own.path().resolveSibling(NAME)), own.portable(NAME))
                .filter(Files::isReadable)
                .filter(candidate -> elf.canLoad(ElfFile.read(candidate)))
                .filter(candidate -> isForAll(candidate) || hasOurLoader(elf))
                .findFirst()
                .orElseThrow(() -> new Refusal(
                        tried,
                        "there is no " + NAME + " here that it could load",
                        "Build one for each platform by ./threadclock build --targets=all."));
        if (library.toString().matches(".*[:\\s].*")) {
            throw new Refusal(
                    tried,
                    "the path " + library + " has a space or a colon, at which LD_PRELOAD is divided",
                    "Move it.");
        }
        return new PreloadFile(library);
    }

    /** Refuses a program whose start would not load the library, or would not let it. */
    private static void refuseDeaf(String tried, Path file, ElfFile elf) {
        if (elf.isStatic()) {
            throw new Refusal(
                    tried,
                    file + " is a static program, which no library can be preloaded into",
                    "Link it dynamically, or call the C library from it.");
        }
        if (isPrivileged(file)) {
            throw new Refusal(
                    tried,
                    file + " gets the rights of another user or group, and so ignores LD_PRELOAD",
                    "Run it as that user, without the setuid and setgid bits.");
        }
    }

    private static boolean isPrivileged(Path file) {
        try {
            Map<String, Object> of = Files.readAttributes(file, "unix:mode,uid,gid");
            int mode = (int) of.get("mode");
            return Proc.SYSTEM
                    .self()
                    .status()
                    .filter(ours -> (mode & SETUID) != 0 && !of.get("uid").equals(ours.uid())
                            || (mode & SETGID) != 0 && !of.get("gid").equals(ours.gid()))
                    .isPresent();
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static ElfFile own() {
        return Proc.SYSTEM.self().executable();
    }

    private static boolean isForAll(Path library) {
        return library.getParent().getFileName().toString().startsWith("linux-");
    }

    /** A build for this machine's C library has the loader of this program. */
    private static boolean hasOurLoader(ElfFile elf) {
        String ours = own().interpreter();
        return elf.interpreter().isEmpty()
                || ours.isEmpty()
                || elf.interpreter().equals(ours);
    }

    static Optional<Path> located(String program, Map<String, String> environment) {
        List<String> folders = program.contains("/")
                ? List.of("")
                : List.of(environment.getOrDefault("PATH", "").split(":"));
        return folders.stream()
                .flatMap(folder -> ForeignPath.of(folder, program).stream())
                .filter(Files::isRegularFile)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The program that runs it, if it is a script: also by env(1). */
    private static Path interpreted(Path file, Map<String, String> environment) {
        Path program = file;
        for (int i = 0; i < MOST_SCRIPTS; i++) {
            List<String> words = scriptLine(program);
            Optional<Path> named = words.stream().findFirst().flatMap(ForeignPath::of);
            if (named.isEmpty()) {
                return program;
            }
            boolean isByEnv = words.size() > 1 && named.get().endsWith("env");
            program = (isByEnv ? located(words.get(1), environment) : named).orElse(named.get());
        }
        return program;
    }

    /** The words after {@code #!}; empty if it is no script. */
    private static List<String> scriptLine(Path file) {
        try (var bytes = Files.newInputStream(file)) {
            String text = new String(bytes.readNBytes(MOST_LINE_BYTES), OF_PATHS);
            return text.startsWith("#!")
                    ? List.of(text.substring(2)
                            .lines()
                            .findFirst()
                            .orElse("")
                            .strip()
                            .split("\\s+"))
                    : List.of();
        } catch (IOException unreadable) {
            return List.of();
        }
    }
}
