// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Some classes of this program where every user can read them, until this program ends: ours may be in /root. */
final class SharedClasses {
    private static final String PUBLIC = "rwxr-xr-x";

    private SharedClasses() {}

    /**
     * A class path that has them.
     *
     * @param files class files as they are named in the package
     */
    static Path of(String packageName, List<String> files) throws IOException {
        Path directory = shared(Files.createTempDirectory(Path.of("/tmp"), "threadclock-"));
        Path place = directory;
        for (String name : packageName.split("\\.")) {
            place = shared(Files.createDirectory(place.resolve(name)));
        }
        for (String file : files) {
            try (InputStream bytes = SharedClasses.class.getResourceAsStream("/" + packageName.replace('.', '/') + "/" + file)) {
                Files.copy(bytes, place.resolve(file));
            }
            shared(place.resolve(file));
        }
        return directory;
    }

    private static Path shared(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(PUBLIC));
        // Deleted in the reverse order: a directory after what is in it.
        file.toFile().deleteOnExit();
        return file;
    }
}
