// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.Access;
import io.threadclock.cli.process.CodeFile;
import io.threadclock.cli.process.ElfFile;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The path by which a process finds the library. Another root, another user, or a mount that forbids execution may
 * prevent it from loading the file that this program has.
 *
 * @param path as the process sees it
 * @param isLoaded whether the process has it already
 * @param note something that the user should know; may be empty
 */
public record LibraryPath(String path, boolean isLoaded, String note) {
    /**
     * The paths of the library that the process has loaded already. No other may be used, because there would be two
     * copies.
     */
    public static List<LibraryPath> loadedIn(Target target) {
        return places(CodeFile.of(target, LibraryFile::isNamed));
    }

    private static List<LibraryPath> places(List<CodeFile> loaded) {
        return loaded.stream()
                .map(code -> loaded(code.path().toString(), code.file().isDeleted()))
                .distinct()
                .toList();
    }

    /**
     * The paths of the library that the process has loaded already, for loading it again, which runs the file there.
     *
     * @param own libraries that we trust wherever they lie, because we run them, too
     * @throws Refusal if others than the process's user and root could have put it there
     */
    static List<LibraryPath> usableIn(Target target, List<Path> own) {
        List<CodeFile> loaded = CodeFile.of(target, LibraryFile::isNamed);
        loaded.stream()
                .filter(code -> own.stream().noneMatch(library -> isSame(library, target.inRoot(code.path()))))
                .forEach(code -> code.doubt().ifPresent(doubt -> {
                    throw new Refusal(
                            "using the library that process " + target.pid() + " has loaded, " + code.path(),
                            "others may have put it there, " + doubt,
                            "Give it and the folders above it to root or that user alone, or start the JVM anew.");
                }));
        return places(loaded);
    }

    private static boolean isSame(Path library, Path file) {
        try {
            return Files.isSameFile(library, file);
        } catch (IOException absent) {
            return false;
        }
    }

    /**
     * The path that is loaded already; otherwise that of the file itself; otherwise that of a copy, which is made for
     * the process.
     *
     * @throws Refusal if the process can read neither
     */
    static LibraryPath of(LibraryFile library, Target target) {
        LibraryChoice choice = new LibraryChoice(library, target);
        List<LibraryPath> loaded = usableIn(target, choice.tried());
        if (!loaded.isEmpty()) {
            return loaded.get(0).comparedWith(library, target);
        }
        refuseOtherMachine(choice);
        return of(target, choice.library());
    }

    private static LibraryPath of(Target target, LibraryFile library) {
        if (isUsableAt(library.path(), library, target)) {
            return new LibraryPath(library.path().toString(), false, "");
        }
        Path copy = new LibraryCopy(library, target).path();
        return new LibraryPath(copy.toString(), false, "it uses a copy of the library, its " + copy);
    }

    private static boolean isUsableAt(Path path, LibraryFile library, Target target) {
        return new Access(target.status()).reads(target.root(), path)
                && holds(target.inRoot(path), library)
                && (isSame(library.path(), target.inRoot(path))
                        || target.place().doubt(path).isEmpty())
                && !target.files().mounts().forbidsExecution(path);
    }

    private LibraryPath comparedWith(LibraryFile library, Target target) {
        return isOf(library, target) ? this : loaded(path, true);
    }

    /** Whether it is this library, or one of the same version for another machine. */
    public boolean isOf(LibraryFile library, Target target) {
        Path file = target.inRoot(Path.of(path));
        return note.isEmpty()
                && new LibraryChoice(library, target)
                        .tried().stream().anyMatch(tried -> holds(file, new LibraryFile(tried)));
    }

    private static LibraryPath loaded(String path, boolean isOtherVersion) {
        String note = isOtherVersion
                ? "it goes on with the other version of the library that it has loaded, " + path + ", until it ends"
                : "";
        return new LibraryPath(path, true, note);
    }

    private static boolean holds(Path file, LibraryFile library) {
        try {
            return Files.mismatch(file, library.path()) < 0;
        } catch (IOException missing) {
            return false;
        }
    }

    private static void refuseOtherMachine(LibraryChoice choice) {
        LibraryFile library = choice.library();
        String tried =
                "loading " + library.path() + " in process " + choice.target().pid();
        if (ElfFile.read(library.path()).bits() == 0) {
            throw new Refusal(tried, library.path() + " is no shared library", "Name libthreadclock.so by --library.");
        }
        if (!choice.isOfItsMachine(library.path())) {
            throw new Refusal(
                    tried,
                    "the library is of another architecture than the JVM (looked at: " + names(choice.tried()) + ")",
                    "Build those of all by ./threadclock build --targets=all, or name one by --library.");
        }
    }

    private static String names(List<Path> paths) {
        return String.join(", ", paths.stream().map(Path::toString).toList());
    }
}
