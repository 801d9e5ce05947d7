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
 * A folder that is held open by its descriptor: its path goes through the descriptor, and stays that of this very folder
 * whatever becomes of the name by which it was opened.
 *
 * <p>Assumed: /proc is the kernel's, and shows the descriptors of this process. A folder of /proc/PID that is held is that of
 * one process, and empty once that has ended, though another one gets its pid (proc(5); tried by {@code HeldFolderTest}).
 */
public final class OpenFolder implements AutoCloseable {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    /** A descriptor is a folder's own if it was not there before the folder was opened; nothing else here opens folders meanwhile. */
    private static final Object ONE_AT_A_TIME = new Object();

    private final DirectoryStream<Path> stream;
    private final Object key;
    private final Set<Path> descriptors;

    private OpenFolder(DirectoryStream<Path> stream, Object key, Set<Path> descriptors) {
        this.stream = stream;
        this.key = key;
        this.descriptors = descriptors;
    }

    /** One that no link of others leads to: links are followed. */
    public static OpenFolder of(Path path) throws IOException {
        return opened(
                path, Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    }

    /** The root directory of whoever has this pid: for a program that has no rights but that process's own. */
    public static Path rootOf(int pid) {
        return Path.of("/proc", Integer.toString(pid), "root");
    }

    /** A folder below {@code root}, to which no link leads but that of root itself, which is the kernel's. */
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
     * One that lies in this one, and is no link. It is opened by {@code name/.}, for a pipe would be waited for; what that leads
     * to has to be what lies here by that name.
     */
    public OpenFolder folder(String name) throws IOException {
        FileStat facts = facts(name);
        if (!facts.isFolder()) {
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

    private static Object keyOf(Path descriptor) {
        try {
            return Files.readAttributes(descriptor, BasicFileAttributes.class).fileKey();
        } catch (IOException closedMeanwhile) {
            return null;
        }
    }

    /** By which it is reached as long as it is held. */
    public Path path() {
        return descriptors.iterator().next();
    }

    /** Of what lies in it; it may be, or become at any moment, a link: only for what follows none. */
    public Path path(String name) {
        return path().resolve(name);
    }

    /** Which file system and which file of it. */
    public Object key() {
        return key;
    }

    /** Of the folder itself. */
    public FileStat facts() throws IOException {
        return FileStat.of(path());
    }

    /** Of what lies in it by this name, of a link itself. */
    public FileStat facts(String name) throws IOException {
        return FileStat.of(path(name), LinkOption.NOFOLLOW_LINKS);
    }

    /** The names in it that fit, the first so many of them. */
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
