// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;

/**
 * The time that the host of a virtual machine has withheld from its CPUs, by the kernel's account. To the thread on the
 * CPU it is CPU time all the same: tens of ms at once on a shared machine.
 */
final class StolenTime {
    private static final Path STAT = Paths.get("/proc/stat");
    private static final int STEAL = 8; // word of its first line
    private static final long NS_PER_UNIT = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long ACCOUNTED_MS = 20;

    private StolenTime() {}

    /** For all CPUs since boot; 0 if the kernel does not tell. */
    static long ns() {
        try {
            String stat = new String(Files.readAllBytes(STAT), StandardCharsets.US_ASCII);
            return Long.parseLong(stat.substring(0, stat.indexOf('\n')).split(" +")[STEAL]) * NS_PER_UNIT;
        } catch (IOException noProc) {
            return 0;
        }
    }

    /**
     * The most that may have been stolen since {@link #ns()} was {@code beforeNs}. Waits until a clock tick has told.
     */
    static long sinceNs(long beforeNs) {
        try {
            TimeUnit.MILLISECONDS.sleep(ACCOUNTED_MS);
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
        long stolenNs = ns() - beforeNs;
        return stolenNs == 0 ? 0 : stolenNs + NS_PER_UNIT;
    }
}
