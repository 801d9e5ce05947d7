// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import io.threadclock.cli.process.MemoryMap.MappedFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A file whose code a process runs, as far as the kernel shows it. A file that is only mapped as data does not count,
 * whatever its name. In an emulated process no code is executable for the kernel, so there a mapped file of the
 * emulated machine counts all the same.
 *
 * @param path as the process sees it
 */
public record CodeFile(Target target, MappedFile file, Path path) {
    /** Each file with such a name, once. */
    public static List<CodeFile> of(Target target, Predicate<String> name) {
        return target.files().code(name).stream()
                .map(file -> new CodeFile(target, file, Path.of(target.pathInside(file.path()))))
                .toList();
    }

    /**
     * Why the file must not be run or loaded as the process's user: others than that user and root could have put it
     * there, or it is not the file that the process has loaded. Empty if nothing speaks against it.
     */
    public Optional<String> doubt() {
        return target.place()
                .doubt(path)
                .or(() -> !file.isDeleted() && !file.is(target.inRoot(path))
                        ? Optional.of(path + " is not the file that it has loaded")
                        : Optional.empty());
    }
}
