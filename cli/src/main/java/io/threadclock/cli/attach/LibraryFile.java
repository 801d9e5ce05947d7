// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.ElfFile;
import io.threadclock.cli.process.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** libthreadclock.so, as a file that this program can read; its path has no symbolic links. */
public record LibraryFile(Path path) {
    /** The variable by which the launcher names the file. */
    public static final String VARIABLE = "THREADCLOCK_LIBRARY";

    private static final int PREFIX_BYTES = 8;

    /**
     * The file that was asked for; if none was, the one that the launcher names.
     *
     * @param named null if none was asked for
     */
    public static LibraryFile of(Path named, Map<String, String> environment) {
        String tried = "looking for libthreadclock.so";
        String remedy = "Build it by ./threadclock build, or name it by --library.";
        String place = named != null ? named.toString() : environment.getOrDefault(VARIABLE, "");
        if (place.isBlank()) {
            throw new Refusal(tried, "neither --library nor THREADCLOCK_LIBRARY names it", remedy);
        }
        return readable(place).orElseThrow(() -> new Refusal(tried, place + " is no file that can be read", remedy));
    }

    private static Optional<LibraryFile> readable(String place) {
        try {
            Path real = Path.of(place).toRealPath();
            return Files.isRegularFile(real) && Files.isReadable(real)
                    ? Optional.of(new LibraryFile(real))
                    : Optional.empty();
        } catch (IOException missing) {
            return Optional.empty();
        }
    }

    /** Whether the name of a mapped file is that of this library, or of a copy or another version. */
    public static boolean isNamed(String fileName) {
        return fileName.startsWith("libthreadclock") && fileName.contains(".so") && !fileName.equals(PreloadFile.NAME);
    }

    /** The builds of this name for all platforms, as far as they are there: beside this one, or above. */
    Stream<Path> portable(String name) {
        return Stream.of("native", "..")
                .flatMap(place ->
                        Stream.of("x86_64", "aarch64").map(machine -> place + "/linux-" + machine + "/" + name))
                .map(sibling -> path.resolveSibling(sibling).normalize())
                .filter(Files::isReadable);
    }

    ElfFile elf() {
        return ElfFile.read(path);
    }

    byte[] bytes() {
        try {
            return Files.readAllBytes(path);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("reading " + path, unreadable);
        }
    }

    /** Distinguishes versions in the names of copies. */
    String fingerprint() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes());
            return HexFormat.of().formatHex(Arrays.copyOf(digest, PREFIX_BYTES));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java runtime has SHA-256", impossible);
        }
    }
}
