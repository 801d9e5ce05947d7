// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;

/** Maps a file as data and reads its clock, if it is told to, and goes on as {@link EchoProbe}. */
public final class MappingProbe {
    /** The file to map. */
    public static final String FILE = "threadclock.it.mapped";
    /** Whether to read the clock. */
    public static final String CLOCK = "threadclock.it.clock";

    private static MappedByteBuffer mapped;

    private MappingProbe() {}

    public static void main(String[] arguments) throws IOException {
        if (System.getProperty(FILE) != null) {
            map(Paths.get(System.getProperty(FILE)));
        }
        if (Boolean.getBoolean(CLOCK) && !ThreadClock.canRead()) {
            throw new IllegalStateException("no clock");
        }
        EchoProbe.main(arguments);
        if (mapped != null) {
            mapped.get(0); // until here
        }
    }

    private static void map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        }
    }
}
