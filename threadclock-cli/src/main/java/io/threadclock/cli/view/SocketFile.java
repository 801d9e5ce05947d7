// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.view;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.Objects;

/**
 * The file of a socket, seen through its directory, which is held open: the way to it through {@code /proc/PID/root} is gone
 * when the process is.
 */
final class SocketFile implements AutoCloseable {
    private final SecureDirectoryStream<Path> directory;
    private final Path name;
    private final Object key;

    private SocketFile(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        this.directory = directory;
        this.name = name;
        this.key = key();
    }

    static SocketFile of(Path path) throws IOException {
        DirectoryStream<Path> directory = Files.newDirectoryStream(path.getParent());
        try {
            if (directory instanceof SecureDirectoryStream<Path> secure) {
                return new SocketFile(secure, path.getFileName());
            }
            throw new IOException("no way to hold " + path.getParent() + " open");
        } catch (IOException gone) {
            directory.close();
            throw gone;
        }
    }

    /** Whether it is there still, and no other of the same name. */
    boolean exists() {
        try {
            return Objects.equals(key(), key);
        } catch (IOException gone) {
            return false;
        }
    }

    void delete() {
        try {
            if (exists()) {
                directory.deleteFile(name);
            }
        } catch (IOException notOurs) {
            return;
        }
    }

    private Object key() throws IOException {
        return directory
                .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .fileKey();
    }

    @Override
    public void close() {
        try {
            directory.close();
        } catch (IOException closedAlready) {
            return;
        }
    }
}
