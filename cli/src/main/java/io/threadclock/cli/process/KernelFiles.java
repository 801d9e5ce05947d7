// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files in which the kernel tells about itself and its processes. A file that does not exist, or may not be read,
 * as in many containers, counts as empty.
 *
 * @param root the root of the file system; another one in tests
 */
public record KernelFiles(Path root) {
    public static final KernelFiles SYSTEM = new KernelFiles(Path.of("/"));

    /** The kernel returns a number of /proc/sys in the first read only, as much of it as the buffer holds. */
    private static final int BUFFER_BYTES = 8192;

    private static final Pattern DIGITS = Pattern.compile("-?\\d{1,18}");

    public String text(String name) {
        return ForeignPath.in(root, name).flatMap(KernelFiles::read).orElse("");
    }

    /** The content of a file, or its beginning if it is too long; empty if it cannot be read. */
    public static Optional<String> read(Path path) {
        return read(path, Bounds.KERNEL_FILE_BYTES);
    }

    static Optional<String> read(Path path, int mostBytes) {
        return bytes(path, mostBytes).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    static Optional<byte[]> bytes(Path path, int mostBytes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream file = new FileInputStream(path.toFile())) {
            for (int n = file.read(buffer); n > 0 && bytes.size() < mostBytes; n = file.read(buffer)) {
                bytes.write(buffer, 0, n);
            }
        } catch (IOException absent) {
            return Optional.empty();
        }
        return Optional.of(bytes.toByteArray());
    }

    public OptionalLong number(String name) {
        String text = text(name).strip();
        return DIGITS.matcher(text).matches() ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    /** The text that the pattern's group finds in a file. */
    public Optional<String> find(String name, Pattern pattern) {
        Matcher found = pattern.matcher(text(name));
        return found.find() ? Optional.of(found.group(1).strip()) : Optional.empty();
    }
}
