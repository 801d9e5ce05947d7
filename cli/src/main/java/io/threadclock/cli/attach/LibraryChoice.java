// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.ForeignPath;
import io.threadclock.cli.process.MemoryMap;
import io.threadclock.cli.process.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Chooses the build of the library that a process can load, by what the process has mapped. The build for this machine
 * needs this machine's C library. The builds of {@code ./threadclock build --targets=all} load with any, glibc or musl.
 * They lie beside the former in a checkout; where the command is installed, there are no others.
 */
record LibraryChoice(LibraryFile own, Target target) {
    /** The first library that the process can load; if there is none, our own. */
    LibraryFile library() {
        Stream<LibraryFile> portable = portable().filter(this::isOfItsMachine);
        return isOfItsMachine(own) && hasOurLibc() ? own : portable.findFirst().orElse(own);
    }

    /** All libraries that were tried, for a refusal. */
    List<Path> tried() {
        return Stream.concat(Stream.of(own), portable()).map(LibraryFile::path).toList();
    }

    boolean isOfItsMachine(LibraryFile library) {
        return target.files().machine().canLoad(library.elf());
    }

    private Stream<LibraryFile> portable() {
        return own.portable("libthreadclock.so").map(LibraryFile::new);
    }

    /** A process whose C library is unknown counts as one that has ours. */
    private boolean hasOurLibc() {
        List<MemoryMap.MappedFile> theirs = maps().named(LibraryChoice::isLibc);
        List<MemoryMap.MappedFile> ours = target.proc().self().memoryMap().named(LibraryChoice::isLibc);
        return theirs.isEmpty()
                || ours.isEmpty()
                || theirs.stream().anyMatch(file -> ours.contains(file) && isSame(file));
    }

    private boolean isSame(MemoryMap.MappedFile file) {
        try {
            Optional<Path> here = ForeignPath.of(file.path());
            return here.isEmpty() || target.sees(here.get());
        } catch (IOException unreadable) {
            return true;
        }
    }

    private MemoryMap maps() {
        return target.files().memoryMap();
    }

    private static boolean isLibc(String fileName) {
        return fileName.matches("libc\\.so\\.6|libc-2\\.\\d+\\.so|ld-musl-.*\\.so\\.1|libc\\.musl-.*\\.so\\.1");
    }
}
