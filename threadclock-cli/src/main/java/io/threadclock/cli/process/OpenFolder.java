// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A folder that is held open by its descriptor. Its path goes through the descriptor, and leads to this very folder,
 * whatever happens to the name by which it was opened.
 *
 * <p>Assumptions: /proc is the kernel's, and shows the descriptors of this process. A held folder of /proc/PID belongs
 * to one process, and is empty once that has ended, even if another one gets its pid (proc(5); tested by {@code
 * HeldFolderTest}).
 */
public final class OpenFolder implements AutoCloseable {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    /**
     * A descriptor belongs to a folder if it was not there before the folder was opened, and nothing else here opens
     * folders meanwhile.
     */
    private static final Object ONE_AT_A_TIME = new Object();

    private final DirectoryStream<Path> stream;
    private final Object key;
    private final Set<Path> descriptors;

    private OpenFolder(DirectoryStream<Path> stream, Object key, Set<Path> descriptors) {
        this.stream = stream;
        this.key = key;
        this.descriptors = descriptors;
    }

    /** Opens a folder by a path that others cannot change, because links are followed. */
    public static OpenFolder of(Path path) throws IOException {
        return opened(
                path, Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    }

    /** Opens the folder that this program was started with as its standard input. */
    public static OpenFolder ofInput() throws IOException {
        return of(DESCRIPTORS.resolve("0"));
    }

    /** Opens a folder below {@code root}. No link leads to it except that of root itself, which is the kernel's. */
    public static OpenFolder of(Path root, Path below) throws IOException {
        OpenFolder folder = of(root);
        for (Path name : below) {
            try (OpenFolder parent = folder) {
                folder = parent.folder(name.toString());
            }
        }
        return folder;
    }

    /**
     * Opens a folder in this one that is not a link, nor the one above. It is opened by {@code name/.}, because opening
     * a pipe would wait. The result must be the folder that has that name here.
     */
    public OpenFolder folder(String name) throws IOException {
        FileStat facts = facts(name);
        if (!facts.isFolder() || name.equals("..")) {
            throw new IOException(name + " in it is no folder");
        }
        return opened(path(name).resolve("."), facts.key());
    }

    private static OpenFolder opened(Path path, Object expected) throws IOException {
        synchronized (ONE_AT_A_TIME) {
            Set<Path> before = descriptorsOf(expected);
            DirectoryStream<Path> stream = Files.newDirectoryStream(path);
            try {
                Set<Path> descriptors = descriptorsOf(expected);
                descriptors.removeAll(before);
                if (descriptors.isEmpty()) {
                    throw new IOException(
                            "it has become another folder, or " + DESCRIPTORS + " does not show what is open");
                }
                return new OpenFolder(stream, expected, descriptors);
            } catch (IOException another) {
                stream.close();
                throw another;
            }
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

    /**
     * The path by which a file that this program holds open is reached, whatever has its name by now.
     *
     * @throws IOException if none of that name is open, or the file has another name by now
     */
    public static Path descriptorOf(Path name) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path one : all) {
                if (name.equals(targetOf(one).getFileName())) {
                    return one;
                }
            }
        }
        throw new IOException(name + " has been taken away while it was written");
    }

    private static Path targetOf(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (IOException closedMeanwhile) {
            return descriptor;
        }
    }

    private static Object keyOf(Path descriptor) {
        try {
            return Files.readAttributes(descriptor, BasicFileAttributes.class).fileKey();
        } catch (IOException closedMeanwhile) {
            return null;
        }
    }

    /** The path of the folder as long as it is held. */
    public Path path() {
        return descriptors.iterator().next();
    }

    /** The path by which a program that has our rights, such as a child, reaches the folder as long as it is held. */
    public Path pathForOthers() {
        return Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "fd")
                .resolve(path().getFileName());
    }

    /**
     * The path of a file in it. It may be a link, or become one at any moment, so use it only for calls that follow no
     * links.
     */
    public Path path(String name) {
        return path().resolve(name);
    }

    /** Identifies the file system and the folder in it. */
    public Object key() {
        return key;
    }

    /** The facts about the folder itself. */
    public FileStat facts() throws IOException {
        return FileStat.of(path());
    }

    /** The facts about the file in it with this name, and about the link itself if it is one. */
    public FileStat facts(String name) throws IOException {
        return FileStat.of(path(name), LinkOption.NOFOLLOW_LINKS);
    }

    /** The names in it that match, up to {@code most} of them. */
    public List<String> names(String glob, int most) throws IOException {
        synchronized (ONE_AT_A_TIME) {
            return firstNames(glob, most);
        }
    }

    private List<String> firstNames(String glob, int most) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> fitting = Files.newDirectoryStream(path(), glob)) {
            for (Iterator<Path> next = fitting.iterator(); names.size() < most && next.hasNext(); ) {
                names.add(next.next().getFileName().toString());
            }
        } catch (DirectoryIteratorException broken) {
            throw broken.getCause();
        }
        return names;
    }

    @Override
    public void close() {
        synchronized (ONE_AT_A_TIME) {
            try {
                stream.close();
            } catch (IOException none) {
                throw new UncheckedIOException(none);
            }
        }
    }
}
