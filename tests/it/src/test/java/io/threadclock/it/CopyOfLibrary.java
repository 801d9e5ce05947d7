// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.CRC32;

/** Other copies of libthreadclock.so than the one under test, beside the test's other outputs. */
final class CopyOfLibrary {
    private static final String PROTOCOL = "io.threadclock protocol ";

    /** An older version does not have this native. */
    private static final String NATIVE = "Java_io_threadclock_NativeClock_stats";

    private CopyOfLibrary() {}

    /** A copy with the same bytes at another place. */
    static Path path() {
        return write("copy", bytes());
    }

    /** A copy of an older or newer version, whose natives differ, and one of which is missing. */
    static Path ofAnotherVersion() {
        String text = new String(bytes(), StandardCharsets.ISO_8859_1);
        int at = text.indexOf(PROTOCOL) + PROTOCOL.length();
        String other = text.substring(0, at) + "0" + text.substring(at + 1);
        String newer = other.replaceAll("(?<=\000)\\d(?=\\d*\\.\\d+\\.\\d+\000)", "9"); // what tclk_version() says
        String lacking = newer.replace(NATIVE, NATIVE.toLowerCase(Locale.ROOT));
        return write("other-version", lacking.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static byte[] bytes() {
        try {
            return Files.readAllBytes(Program.LIBRARY.path());
        } catch (IOException unreadable) {
            throw new AssertionError("reading " + Program.LIBRARY.path() + " failed: " + unreadable, unreadable);
        }
    }

    /**
     * The folder's name is of the bytes, and a file that is there is never written again: the tests run in two JVMs at
     * a time, and a JVM that the other one has started may just run the copy.
     */
    private static Path write(String name, byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        Path folder =
                Path.of("target", name + "-" + Long.toHexString(sum.getValue())).toAbsolutePath();
        Path library = folder.resolve("libthreadclock.so");
        try {
            if (Files.notExists(library)) {
                long pid = ProcessHandle.current().pid();
                Path whole = Files.write(Files.createDirectories(folder).resolveSibling(name + "." + pid), bytes);
                Files.createLink(library, whole);
                Files.delete(whole);
            }
            return library;
        } catch (FileAlreadyExistsException byTheOther) {
            return library;
        } catch (IOException refused) {
            throw new AssertionError("copying the library failed: " + refused, refused);
        }
    }
}
