// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Words of others as paths. They are text, of which not all can be a path: none with NUL, or with what the locale
 * cannot write, such as é in C. All other ways from text to a path throw for such words.
 */
public final class ForeignPath {
    private ForeignPath() {}

    /** Empty for text that cannot be a path. */
    public static Optional<Path> of(String first, String... more) {
        try {
            return Optional.of(Path.of(first, more));
        } catch (InvalidPathException unwritable) {
            return Optional.empty();
        }
    }

    /** A file in that folder; empty if the name cannot be one's. */
    static Optional<Path> in(Path folder, String name) {
        return of(name).map(folder::resolve);
    }
}
