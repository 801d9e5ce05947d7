// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import io.threadclock.ThreadClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** The events of a recording that is read back from its file. */
final class Recorded {
    private Recorded() {}

    static List<RecordedEvent> events(Recording recording, Path folder, String type) throws IOException {
        return RecordingFile.readAllEvents(file(recording, folder)).stream()
                .filter(event -> event.getEventType().getName().equals(type))
                .toList();
    }

    static Path file(Recording recording, Path folder) throws IOException {
        recording.stop();
        Path file = Files.createTempFile(folder, "recording", ".jfr");
        recording.dump(file);
        return file;
    }

    /** Makes the calling thread work until it has used this much CPU time. */
    static void burn(long ns) {
        long endNs = ThreadClock.cpuTimeNs() + ns;
        while (ThreadClock.cpuTimeNs() < endNs) {
            Thread.onSpinWait();
        }
    }
}
