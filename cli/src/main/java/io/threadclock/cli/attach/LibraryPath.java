// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import java.nio.file.Path;
import java.util.List;

/**
 * The path by which a process finds this program's library: that of the very file, or of a copy that is made for the
 * process. Another root, another user, or a mount that forbids execution may prevent it from loading the file itself.
 *
 * <p>It is never a path that the process names. A copy of the library that the process has loaded already is found by
 * ours in memory (native/src/main/c/jvm/copies.h), wherever its file may be by now.
 *
 * @param path as the process sees it
 * @param isLoaded whether the process has loaded a file from there before
 * @param note something that the user should know; may be empty
 */
public record LibraryPath(String path, boolean isLoaded, String note) {
    /**
     * Makes a copy if one is needed.
     *
     * @throws Refusal if the process can read neither
     */
    static LibraryPath of(LibraryFile own, Target target) {
        LibraryChoice choice = new LibraryChoice(own, target);
        refuseOtherMachine(choice);
        LibraryFile library = choice.library();
        boolean isLoaded = isLoaded(library, target);
        if (isUsable(library, target)) {
            return new LibraryPath(library.path().toString(), isLoaded, ifReplaced(library, target));
        }
        Path copy = new LibraryCopy(library, target).path();
        return new LibraryPath(copy.toString(), isLoaded, isLoaded ? "" : "it uses a copy of the library, its " + copy);
    }

    /** Whether the process has loaded our library before, the file or a copy that was made for it. */
    public static boolean isLoadedIn(Target target, LibraryFile own) {
        return isLoaded(new LibraryChoice(own, target).library(), target);
    }

    private static boolean isLoaded(LibraryFile library, Target target) {
        return target.code(LibraryFile::isNamed).stream()
                .anyMatch(file ->
                        file.path().equals(library.path().toString()) || LibraryCopy.isOf(library, file.path()));
    }

    /** glibc takes a path that it has loaded for the file that it had loaded from there. */
    private static String ifReplaced(LibraryFile library, Target target) {
        String path = library.path().toString();
        boolean isReplaced = target.code(LibraryFile::isNamed).stream()
                .anyMatch(file -> file.isDeleted() && file.path().equals(path));
        return isReplaced
                ? "it goes on with the library that it had loaded from " + path
                        + " before that was replaced, until it ends"
                : "";
    }

    private static boolean isUsable(LibraryFile library, Target target) {
        return target.reads(library.path()) && !target.files().forbidsExecution(library.path());
    }

    private static void refuseOtherMachine(LibraryChoice choice) {
        LibraryFile library = choice.library();
        String tried =
                "loading " + library.path() + " in process " + choice.target().pid();
        if (library.elf().bits() == 0) {
            throw new Refusal(tried, library.path() + " is no shared library", "Name libthreadclock.so by --library.");
        }
        if (!choice.isOfItsMachine(library)) {
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
