// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.attach.LibraryFile;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of each command that puts the agent into a JVM. */
final class LibraryOption {
    @Option(
            names = "--library",
            paramLabel = "PATH",
            description = "Use this libthreadclock.so instead of the one that comes with this command.")
    private Path library;

    LibraryFile library() {
        return LibraryFile.of(library, System.getenv());
    }

    /** The one that comes with this command, as far as that is known. */
    LibraryFile own() {
        boolean isKnown = System.getenv().containsKey(LibraryFile.VARIABLE);
        return LibraryFile.of(isKnown ? null : library, System.getenv());
    }
}
