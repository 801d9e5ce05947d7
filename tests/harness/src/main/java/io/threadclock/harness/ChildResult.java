// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.util.List;

/**
 * How a child JVM ended and what it printed.
 *
 * @param exitStatus as the shell would see it; 137 when it was killed
 * @param timedOut whether it was killed because its time was up
 */
public record ChildResult(int exitStatus, boolean timedOut, String stdout, String stderr) {
    public List<String> stdoutLines() {
        return stdout.lines().toList();
    }

    public List<String> stderrLines() {
        return stderr.lines().toList();
    }
}
