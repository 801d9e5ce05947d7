// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import java.nio.file.Path;

/** accuracy.json. */
public record AccuracyFile(Path path) {
    /** @throws io.threadclock.harness.SetupException if it is missing, no accuracy.json, or of another format */
    public AccuracyResults read() {
        return file().read();
    }

    /** @throws io.threadclock.harness.SetupException if it cannot be written */
    public void write(AccuracyResults results) {
        file().write(results);
    }

    private JsonFile<AccuracyResults> file() {
        String command = "./threadclock accuracy";
        return new JsonFile<>(path, "accuracy.json", command, AccuracyResults.class, AccuracyResults.FORMAT);
    }
}
