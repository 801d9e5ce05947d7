// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that has all of its new text, or stays as it was, however the program ends. */
public final class WholeFile {
    private WholeFile() {}

    /**
     * Writes the text beside the file and moves it there in one step.
     *
     * @throws SetupException if this is refused
     */
    public static void write(Path file, String text) {
        Path whole = file.toAbsolutePath();
        Path unfinished = whole.resolveSibling(
                "." + whole.getFileName() + "." + ProcessHandle.current().pid());
        unfinished.toFile().deleteOnExit();
        try {
            Files.createDirectories(whole.getParent());
            Files.writeString(unfinished, text);
            Files.move(unfinished, whole, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException refused) {
            throw new SetupException(
                    "Writing " + file + " failed: " + refused + ". Make it and its folder writable.", refused);
        }
    }

    /**
     * Reads the text of a file of the checkout.
     *
     * @throws SetupException if it does not exist or cannot be read
     */
    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException refused) {
            throw new SetupException(
                    "Reading " + file + " failed: " + refused + ". Restore it (git checkout).", refused);
        }
    }
}
