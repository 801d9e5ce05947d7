// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A temporary directory that is deleted on {@link #close()}, or at the latest when this JVM ends (Ctrl-C included). */
public final class ScratchDirectory implements AutoCloseable {
    private final Path path;
    private Runnable end = () -> {};

    private ScratchDirectory(Path path) {
        this.path = path;
    }

    /**
     * Creates a directory under {@code TMPDIR}, or {@code java.io.tmpdir} where that is not set.
     *
     * @param prefix how its name begins, for instance {@code threadclock-lab-}
     * @throws SetupException if it cannot be created
     */
    public static ScratchDirectory create(String prefix) {
        Path parent = Path.of(System.getenv().getOrDefault("TMPDIR", System.getProperty("java.io.tmpdir")));
        try {
            return Leftovers.ofThisJvm()
                    .creating(() -> new ScratchDirectory(Files.createTempDirectory(parent, prefix)));
        } catch (IOException refused) {
            throw new SetupException(
                    "Creating a temporary directory in " + parent + " failed: " + refused
                            + ". Make it writable, or set TMPDIR to a directory that is.",
                    refused);
        }
    }

    public Path path() {
        return path;
    }

    /** Ends what works in the directory: runs once, just before it is deleted. */
    public synchronized void endBy(Runnable end) {
        this.end = end;
    }

    /** Deletes the directory and all in it. */
    @Override
    public void close() {
        delete();
        Leftovers.ofThisJvm().forget(this);
    }

    synchronized void delete() {
        try {
            Runnable first = end;
            end = () -> {};
            first.run();
        } finally {
            deleteFiles();
        }
    }

    private void deleteFiles() {
        try {
            Files.walkFileTree(path, new Deletion());
        } catch (NoSuchFileException alreadyGone) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + path, e);
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
