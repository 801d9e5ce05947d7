// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * A folder that is held open by its descriptor: its path goes through the descriptor, and stays that of this very folder
 * whatever becomes of the name by which it was opened.
 *
 * <p>Assumed: /proc is the kernel's, and shows the descriptors of this process. A folder of /proc/PID that is held is that of
 * one process, and empty once that has ended, though another one gets its pid (proc(5); tried by {@code HeldFolderTest}).
 */
public final class HeldFolder implements AutoCloseable {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    /** Of all that are held: two of one folder have descriptors of their own. */
    private static final Set<Path> TAKEN = new HashSet<>();

    private final SecureDirectoryStream<Path> stream;
    private final Set<Path> descriptors;

    private HeldFolder(SecureDirectoryStream<Path> stream) throws IOException {
        this.stream = stream;
        this.descriptors = descriptorsOf(key());
    }

    /** One that no link of others leads to: links are followed. */
    public static HeldFolder of(Path path) throws IOException {
        return of(Files.newDirectoryStream(path), path);
    }

    /** One that lies in this one, and is no link. */
    public HeldFolder folder(String name) throws IOException {
        return of(stream.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS), path().resolve(name));
    }

    private static HeldFolder of(DirectoryStream<Path> opened, Path path) throws IOException {
        try {
            if (opened instanceof SecureDirectoryStream<Path> secure) {
                return new HeldFolder(secure);
            }
            throw new IOException("no way to hold " + path + " open");
        } catch (IOException refused) {
            opened.close();
            throw refused;
        }
    }

    /** By which it is reached as long as it is held. */
    public Path path() {
        return descriptors.iterator().next();
    }

    /** Steps that follow no link are made by this. */
    public SecureDirectoryStream<Path> stream() {
        return stream;
    }

    /** Which file system and which file of it. */
    public Object key() throws IOException {
        return stream.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
    }

    private static Set<Path> descriptorsOf(Object key) throws IOException {
        synchronized (TAKEN) {
            Set<Path> ours = new HashSet<>();
            try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
                for (Path one : all) {
                    if (!TAKEN.contains(one) && Objects.equals(keyOf(one), key)) {
                        ours.add(one);
                    }
                }
            }
            if (ours.isEmpty()) {
                throw new IOException(DESCRIPTORS + " does not show what is open");
            }
            TAKEN.addAll(ours);
            return ours;
        }
    }

    private static Object keyOf(Path descriptor) {
        try {
            return Files.readAttributes(descriptor, BasicFileAttributes.class).fileKey();
        } catch (IOException closedMeanwhile) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (TAKEN) {
            stream.close();
            TAKEN.removeAll(descriptors);
        }
    }
}
