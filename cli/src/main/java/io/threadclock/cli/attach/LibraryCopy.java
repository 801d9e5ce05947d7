// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * A copy of the library in a temporary directory of a process that cannot read ours.
 *
 * <p>Everybody may write there, and root of a container may change all of it at any moment. Therefore every step goes
 * through a held folder, and no file that is there is opened, which might be a pipe or a device by then: a new file is
 * made only if there is none, and an existing one is looked at. It is used only if we have made it, nobody else may
 * write it, and it has the same length; where we have no number, the maker is root of the process's user namespace. The
 * copy has no directory of its own, because a directory cannot be made and opened in a single step.
 */
record LibraryCopy(LibraryFile library, Target target) {
    private static final List<Path> PLACES = List.of(Path.of("/tmp"), Path.of("/var/tmp"), Path.of("/dev/shm"));
    /** More than the users who may have made copies of their own; what is left in a folder has a bound. */
    private static final int MOST_NAMES = 16;

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Whether a process that has loaded this file has loaded a copy of the library. */
    static boolean isOf(LibraryFile library, String path) {
        return IntStream.range(0, MOST_NAMES).anyMatch(number -> path.endsWith("/" + nameOf(library, number)));
    }

    private static String nameOf(LibraryFile library, int number) {
        return "libthreadclock-" + library.fingerprint() + (number == 0 ? "" : "-" + number) + ".so";
    }

    /**
     * The path of the copy as the process sees it; the copy is made if it is not there yet.
     *
     * @throws Refusal if none of the process's temporary directories can hold it
     */
    Path path() {
        StringJoiner answers = new StringJoiner("; ");
        for (Path place : PLACES) {
            try {
                return in(place);
            } catch (IOException refused) {
                answers.add(place + ": " + refused.getMessage());
            }
        }
        throw new Refusal(
                "giving the library to process " + target.pid(),
                "it cannot read " + library.path() + ", nor is there a temporary directory for a copy (" + answers
                        + ")",
                "Put the library where the process can read and execute it, and name that place by --library.");
    }

    private Path in(Path directory) throws IOException {
        if (target.files().forbidsExecution(directory)) {
            throw new IOException("mounted noexec");
        }
        byte[] bytes = library.bytes();
        for (int number = 0; number < MOST_NAMES; number++) {
            Path file = directory.resolve(nameOf(library, number));
            if (target.helper().copy(TIMEOUT, file, bytes)) {
                return file;
            }
        }
        throw new IOException(nameOf(library, MOST_NAMES - 1) + " and those before it are others'");
    }
}
