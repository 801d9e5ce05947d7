// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file that nobody else has: in a new directory with a random name, mode 0700 from its creation, so that another user
 * can neither prepare it nor, in a parent with a sticky bit, replace it. A library that is loaded from it stays when it
 * is deleted.
 */
final class PrivateCopy implements AutoCloseable {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path directory;

    private PrivateCopy(Path directory) {
        this.directory = directory;
    }

    /**
     * Makes the copy where nobody else can put another directory in its place; /tmp without its sticky bit is no such
     * place.
     *
     * @throws IOException if others can
     */
    static PrivateCopy keptIn(Path parent, InputStream bytes) throws IOException {
        if (!SafeFile.isKeptIn(parent)) {
            throw new IOException(
                    "others can replace what is put there; set its sticky bit (chmod +t), or name a directory by "
                            + NativeLibrary.DIRECTORY_PROPERTY);
        }
        return of(bytes, parent);
    }

    static PrivateCopy of(InputStream bytes, Path parent) throws IOException {
        PrivateCopy copy = new PrivateCopy(Files.createTempDirectory(parent, "threadclock-", OWNER_ONLY));
        try {
            Files.copy(bytes, copy.file());
            return copy;
        } catch (IOException | RuntimeException failed) {
            try {
                copy.close();
            } catch (IOException left) {
                failed.addSuppressed(left);
            }
            throw failed;
        }
    }

    Path file() {
        return directory.resolve("libthreadclock.so");
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file());
        Files.deleteIfExists(directory);
    }
}
