// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.recorder.QuestDbLibraries;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option of each command with an embedded QuestDB. */
final class TmpOption {
    @Option(
            names = "--tmp",
            paramLabel = "FOLDER",
            description =
                    "Where QuestDB's native code is unpacked and loaded, and removed at once. Default: /tmp, and if that"
                            + " is full or mounted noexec, the recording's own directory.")
    private void use(Path folder) {
        QuestDbLibraries.use(folder);
    }
}
