// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import java.nio.file.Path;

/** results.json. */
public record ResultsFile(Path path) {
    /** @throws io.threadclock.harness.SetupException if it is missing, no results.json, or of another format */
    public Results read() {
        return file().read();
    }

    /** @throws io.threadclock.harness.SetupException if it cannot be written */
    public void write(Results results) {
        file().write(results);
    }

    private JsonFile<Results> file() {
        return new JsonFile<>(path, "results.json", "./threadclock bench", Results.class, Results.FORMAT);
    }
}
