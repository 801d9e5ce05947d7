// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A copy of the library in a temporary directory of a process that cannot read ours.
 *
 * <p>Everybody may write there, and root of a container may change all of it at any moment. So every step goes through
 * an open directory and follows no symbolic link, a new file is made only where none is, and one that is there is used
 * only if it belongs to us or to the process's own user, nobody else may write it, and it holds the very bytes. A file,
 * and no directory for it: there is no way to make and open one in a single step.
 */
final class LibraryCopy {
    private static final List<String> PLACES = List.of("tmp", "var/tmp", "dev/shm");
    private static final Set<PosixFilePermission> PERMISSIONS = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final int STICKY = 01000;
    private static final int OTHERS_WRITE = 0002;

    private final Library library;
    private final Target target;
    private final byte[] bytes;

    LibraryCopy(Library library, Target target) {
        this.library = library;
        this.target = target;
        this.bytes = library.bytes();
    }

    /**
     * Its path as the process sees it; made if it is not there yet.
     *
     * @throws Refusal if none of its temporary directories takes it
     */
    Path path() {
        StringBuilder answers = new StringBuilder();
        for (String place : PLACES) {
            try {
                return in(place);
            } catch (IOException refused) {
                answers.append(answers.isEmpty() ? "" : "; ").append('/').append(place).append(": ").append(reason(refused));
            }
        }
        throw new Refusal(
                "giving the library to process " + target.pid(),
                "it cannot read " + library.path() + ", nor is there a temporary directory for a copy (" + answers + ")",
                "Put the library where the process can read and execute it, and name that place by --library.");
    }

    private Path in(String place) throws IOException {
        Path directory = Path.of("/").resolve(place);
        if (target.files().mounts().forbidsExecution(directory)) {
            throw new IOException("mounted noexec");
        }
        try (SecureDirectoryStream<Path> opened = open(place)) {
            refuseUnsafe(directory);
            return directory.resolve(in(opened));
        }
    }

    private SecureDirectoryStream<Path> open(String place) throws IOException {
        SecureDirectoryStream<Path> opened = secure(Files.newDirectoryStream(target.root()));
        for (Path name : Path.of(place)) {
            try (SecureDirectoryStream<Path> parent = opened) {
                opened = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
            }
        }
        return opened;
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream) throws IOException {
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new IOException("no way to open a directory without following links");
    }

    /** Where everybody may write and nothing keeps them from each other's files, a copy could be replaced. */
    private void refuseUnsafe(Path directory) throws IOException {
        Path seen = LibraryPlace.inRoot(target, directory);
        int mode = (Integer) Files.getAttribute(seen, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
            throw new IOException("everybody may replace files there");
        }
    }

    private Path in(SecureDirectoryStream<Path> directory) throws IOException {
        Path name = Path.of("libthreadclock-" + library.fingerprint() + ".so");
        try {
            write(directory, name);
        } catch (FileAlreadyExistsException present) {
            if (isOurs(directory, name)) {
                return name;
            }
            name = Path.of("libthreadclock-" + library.fingerprint() + "-" + UUID.randomUUID() + ".so");
            write(directory, name);
        }
        return name;
    }

    private void write(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        Set<StandardOpenOption> onlyNew = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (SeekableByteChannel file =
                directory.newByteChannel(name, onlyNew, PosixFilePermissions.asFileAttribute(PERMISSIONS))) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                file.write(left);
            }
        } catch (FileAlreadyExistsException present) {
            throw present;
        } catch (IOException refused) {
            deletePart(directory, name, refused);
            throw refused;
        }
        // What the umask took away.
        view(directory, name).setPermissions(PERMISSIONS);
    }

    private static void deletePart(SecureDirectoryStream<Path> directory, Path name, IOException refused) {
        try {
            directory.deleteFile(name);
        } catch (IOException neverMade) {
            refused.addSuppressed(neverMade);
        }
    }

    private boolean isOurs(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        PosixFileAttributes attributes = view(directory, name).readAttributes();
        return attributes.isRegularFile()
                && attributes.permissions().equals(PERMISSIONS)
                && owners().contains(attributes.owner())
                && Arrays.equals(bytes, content(directory, name));
    }

    private byte[] content(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        try (SeekableByteChannel file =
                directory.newByteChannel(name, Set.<OpenOption>of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            return Channels.newInputStream(file).readNBytes(bytes.length + 1);
        }
    }

    /** Ourselves, and the user of the process. */
    private Set<UserPrincipal> owners() throws IOException {
        return Set.copyOf(List.of(target.proc().self().owner(), target.files().owner()));
    }

    private static PosixFileAttributeView view(SecureDirectoryStream<Path> directory, Path name) {
        return directory.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static String reason(IOException refused) {
        String reason = refused instanceof FileSystemException known ? known.getReason() : null;
        return reason != null ? reason : refused.getMessage() == null ? refused.toString() : refused.getMessage();
    }
}
