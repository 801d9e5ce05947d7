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
 * can neither prepare nor replace it. A library that is loaded from it stays when it is deleted.
 */
final class PrivateCopy implements AutoCloseable {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path directory;

    private PrivateCopy(Path directory) {
        this.directory = directory;
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
