// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.FileStat;
import io.threadclock.cli.process.OpenFolder;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A copy of the library in a temporary directory of a process that cannot read ours.
 *
 * <p>Everybody may write there, and root of a container may change all of it at any moment. Therefore every step goes
 * through a held folder, and no file that is there is opened, which might be a pipe or a device by then: a new file is
 * made only if there is none, and an existing one is looked at. It is used only if we have made it, nobody else may write
 * it, and it has the same length. The
 * copy has no directory of its own, because a directory cannot be made and opened in a single step.
 */
final class LibraryCopy {
    private static final List<String> PLACES = List.of("tmp", "var/tmp", "dev/shm");
    private static final Set<PosixFilePermission> PERMISSIONS = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final int EXECUTABLE = 0755; // the same

    private final LibraryFile library;
    private final Target target;
    private final byte[] bytes;

    LibraryCopy(LibraryFile library, Target target) {
        this.library = library;
        this.target = target;
        this.bytes = library.bytes();
    }

    /** The name of its copies, unless somebody else has a file of that name. */
    static String nameOf(LibraryFile library) {
        return "libthreadclock-" + library.fingerprint() + ".so";
    }

    /**
     * The path of the copy as the process sees it; the copy is made if it is not there yet.
     *
     * @throws Refusal if none of the process's temporary directories can hold it
     */
    Path path() {
        StringBuilder answers = new StringBuilder();
        for (String place : PLACES) {
            try {
                return in(place);
            } catch (IOException refused) {
                answers.append(answers.isEmpty() ? "" : "; ")
                        .append('/')
                        .append(place)
                        .append(": ")
                        .append(reason(refused));
            }
        }
        throw new Refusal(
                "giving the library to process " + target.pid(),
                "it cannot read " + library.path() + ", nor is there a temporary directory for a copy (" + answers
                        + ")",
                "Put the library where the process can read and execute it, and name that place by --library.");
    }

    private Path in(String place) throws IOException {
        Path directory = Path.of("/").resolve(place);
        if (target.files().mounts().forbidsExecution(directory)) {
            throw new IOException("mounted noexec");
        }
        try (OpenFolder folder = OpenFolder.of(target.root(), Path.of(place))) {
            if (!folder.facts().keepsFiles()) {
                throw new IOException("others may replace files there");
            }
            return directory.resolve(in(folder));
        }
    }

    private String in(OpenFolder folder) throws IOException {
        String name = nameOf(library);
        try {
            write(folder.path(name));
        } catch (FileAlreadyExistsException present) {
            if (isOurs(folder.facts(name))) {
                return name;
            }
            name = "libthreadclock-" + library.fingerprint() + "-" + UUID.randomUUID() + ".so";
            write(folder.path(name));
        }
        return name;
    }

    private void write(Path file) throws IOException {
        Set<StandardOpenOption> onlyNew = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (SeekableByteChannel channel =
                Files.newByteChannel(file, onlyNew, PosixFilePermissions.asFileAttribute(PERMISSIONS))) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            // Adds the permissions that the umask took away.
            Files.setPosixFilePermissions(OpenFolder.descriptorOf(file.getFileName()), PERMISSIONS);
        } catch (FileAlreadyExistsException present) {
            throw present;
        } catch (IOException refused) {
            deletePart(file, refused);
            throw refused;
        }
    }

    private static void deletePart(Path file, IOException refused) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException neverMade) {
            refused.addSuppressed(neverMade);
        }
    }

    private boolean isOurs(FileStat file) {
        return file.isRegular()
                && file.permissions() == EXECUTABLE
                && file.uid() == target.self().uid()
                && file.links() == 1
                && file.bytes() == bytes.length;
    }

    private static String reason(IOException refused) {
        String reason = refused instanceof FileSystemException known ? known.getReason() : null;
        return reason != null ? reason : refused.getMessage() == null ? refused.toString() : refused.getMessage();
    }
}
