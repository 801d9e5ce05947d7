// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.List;
import java.util.Optional;

/**
 * Identifies a process: another start is another process, other ids are other rights, and another program belongs to
 * somebody else.
 *
 * @param program its file; empty if the kernel does not show it
 */
record ProcessIdentity(
        long startTicks, List<Integer> uids, List<Integer> gids, List<Integer> groups, Optional<Object> program) {
    /** Empty if the process has ended. */
    static Optional<ProcessIdentity> of(ProcessFiles files, ProcessStatus status) {
        return files.startTicks()
                .map(start ->
                        new ProcessIdentity(start, status.uids(), status.gids(), status.groups(), files.programKey()));
    }
}
