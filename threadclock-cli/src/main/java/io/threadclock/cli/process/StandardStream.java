// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The streams that this program was started with, by their descriptors. */
public enum StandardStream {
    IN,
    OUT,
    ERR;

    /**
     * Whether somebody sits there. {@code System.console()} asks about the first two at once, and JDK 22 to 24 have one
     * without any terminal.
     */
    public boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd", Integer.toString(ordinal()))).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException unknown) {
            return false;
        }
    }
}
