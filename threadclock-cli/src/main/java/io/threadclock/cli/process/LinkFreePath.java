// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A way to a folder behind which the kernel follows no link: on the way there it has followed as many as it does for one path.
 * A call that can be told by a flag to follow none needs no such way; connect(2) cannot.
 *
 * <p>Assumed: the kernel follows a certain number of links for one path, 40 (path_resolution(7)), wherever in the path they
 * are. How many are left is not assumed, but tried: each link more is one more that leads there, until one does not.
 */
public final class LinkFreePath implements AutoCloseable {
    private static final int MOST_LINKS = 200;

    private final Path made = Files.createTempDirectory("threadclock-");
    /** By which it is reached: a socket's path has to be short, that of a temporary folder may be long. */
    private final OpenFolder own;

    private final Path folder;
    private int links;

    /** @param descriptor of the folder, below /proc/self/fd */
    LinkFreePath(Path descriptor) throws IOException {
        own = OpenFolder.of(made);
        try {
            folder = lastThatLeadsTo(descriptor);
        } catch (IOException refused) {
            close();
            throw refused;
        }
    }

    private Path lastThatLeadsTo(Path descriptor) throws IOException {
        Path target = descriptor;
        Path last = descriptor;
        while (links < MOST_LINKS) {
            Path link = Files.createSymbolicLink(own.path(Integer.toString(links)), target);
            links++;
            if (!Files.exists(link)) {
                return last;
            }
            last = link;
            target = link.getFileName();
        }
        throw new IOException("the kernel follows more than " + MOST_LINKS + " links");
    }

    Path resolve(String name) {
        return folder.resolve(name);
    }

    @Override
    public void close() throws IOException {
        while (links > 0) {
            links--;
            Files.deleteIfExists(made.resolve(Integer.toString(links)));
        }
        Files.deleteIfExists(made);
        own.close();
    }
}
