// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a report goes. */
public final class ReportFolder {
    private ReportFolder() {}

    /**
     * The folder, made if it was not there. Asked for before minutes are spent on what could not be written down.
     *
     * @throws SetupException if nothing can be written there
     */
    public static Path ready(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException refused) {
            throw new SetupException(
                    "Creating " + folder + " for the report failed: " + refused + ". Name another folder by --output.",
                    refused);
        }
        if (!Files.isWritable(folder)) {
            throw new SetupException("Writing the report to " + folder + ": that folder may not be written. Name "
                    + "another one by --output.");
        }
        return folder;
    }
}
