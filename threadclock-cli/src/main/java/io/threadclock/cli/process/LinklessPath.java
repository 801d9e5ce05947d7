// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A way to a folder behind which the kernel follows no link: on the way there it has followed as many as it does for one path.
 * A call that can be told by a flag to follow none needs no such way; connect(2) cannot.
 *
 * <p>Assumed: the kernel follows a certain number of links for one path, 40 (path_resolution(7)), wherever in the path they
 * are. How many are left is not assumed, but tried: each link more is one more that leads there, until one does not.
 */
public final class LinklessPath implements AutoCloseable {
    private static final int MOST_LINKS = 200;

    private final Deque<Path> made = new ArrayDeque<>();
    private final Path folder;

    /** @param descriptor of the folder, below /proc/self/fd */
    LinklessPath(Path descriptor) throws IOException {
        made.push(Files.createTempDirectory("threadclock-"));
        try {
            folder = lastThatLeadsTo(descriptor);
        } catch (IOException refused) {
            close();
            throw refused;
        }
    }

    private Path lastThatLeadsTo(Path descriptor) throws IOException {
        Path own = made.peek();
        Path last = descriptor;
        for (int links = 0; links < MOST_LINKS; links++) {
            Path link = Files.createSymbolicLink(own.resolve(Integer.toString(links)), last);
            made.push(link);
            if (!Files.exists(link)) {
                return last;
            }
            last = link;
        }
        throw new IOException("the kernel follows more than " + MOST_LINKS + " links");
    }

    Path resolve(String name) {
        return folder.resolve(name);
    }

    @Override
    public void close() throws IOException {
        while (!made.isEmpty()) {
            Files.deleteIfExists(made.pop());
        }
    }
}
