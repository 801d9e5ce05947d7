// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * A folder that is held open by its descriptor. Its path goes through the descriptor, and leads to this very folder,
 * whatever happens to the name by which it was opened.
 *
 * <p>Assumptions: /proc is the kernel's, and shows the descriptors of this process. A held folder of /proc/PID belongs
 * to one process, and is empty once that has ended, even if another one gets its pid (proc(5); tested by
 * {@code OpenFolderTest}).
 *
 * @param path of the folder until this is closed; then it may be another one's
 */
record OpenFolder(Closeable descriptor, Path path) implements Closeable {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    /**
     * A descriptor belongs to a folder if it was not there before the folder was opened, and nothing else here opens
     * folders meanwhile.
     */
    private static final Object ONE_AT_A_TIME = new Object();

    @Override
    public void close() throws IOException {
        descriptor.close();
    }

    /** Opens a folder by a path that others cannot change, because links are followed. */
    static OpenFolder of(Path path) throws IOException {
        synchronized (ONE_AT_A_TIME) {
            Object key = keyOf(path);
            Set<Path> before = descriptorsOf(key);
            FileChannel channel = FileChannel.open(path); // one descriptor; a stream of its names takes two, and 64 KB
            Set<Path> descriptors = descriptorsOf(key);
            descriptors.removeAll(before);
            if (descriptors.isEmpty()) {
                channel.close();
                throw new IOException(
                        "it has become another folder, or " + DESCRIPTORS + " does not show what is open");
            }
            return new OpenFolder(channel, descriptors.iterator().next());
        }
    }

    private static Set<Path> descriptorsOf(Object key) throws IOException {
        Set<Path> showing = new HashSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path one : all) {
                if (Objects.equals(keyOf(one), key)) {
                    showing.add(one);
                }
            }
        }
        return showing;
    }

    private static Object keyOf(Path descriptor) {
        try {
            return Files.readAttributes(descriptor, BasicFileAttributes.class).fileKey();
        } catch (IOException closedMeanwhile) {
            return null;
        }
    }
}
