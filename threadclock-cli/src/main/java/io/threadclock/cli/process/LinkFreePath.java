// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A path to a folder after which the kernel follows no more links, because on the way there it has followed as many as
 * it does for one path. A call with a flag to follow no links does not need this; connect(2) has no such flag.
 *
 * <p>Assumption: the kernel follows a certain number of links for one path, 40 (path_resolution(7)), wherever in the
 * path they are. The number that is left is tried: links are added one by one, until the last one does not lead there.
 */
public final class LinkFreePath implements AutoCloseable {
    private static final int MOST_LINKS = 200;

    private final Path made = Files.createTempDirectory("threadclock-");
    /**
     * The folder of the links, by a short path: a socket's path has to be short, and that of a temporary folder may be
     * long.
     */
    private final OpenFolder own;

    private final Path folder;
    private int links;

    /** @param descriptor the folder's, below /proc/self/fd */
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
