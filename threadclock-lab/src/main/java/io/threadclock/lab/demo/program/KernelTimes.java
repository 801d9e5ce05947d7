// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * User and system time of a thread as the kernel states them in /proc, in steps of 10 ms (USER_HZ is 100 on every
 * architecture that this program runs on).
 */
record KernelTimes(long userNs, long systemNs) {
    private static final Path OWN_STAT = Path.of("/proc/thread-self/stat");
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** utime is field 14 of proc(5); the first field after the comm is field 3. */
    private static final int UTIME_AFTER_COMM = 14 - 3;

    static KernelTimes ofCurrentThread() throws IOException {
        return parse(Files.readString(OWN_STAT));
    }

    /** The comm may contain blanks and parentheses: counting begins after the last one. */
    static KernelTimes parse(String stat) {
        String[] afterComm = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new KernelTimes(
                Long.parseLong(afterComm[UTIME_AFTER_COMM]) * STEP_NS,
                Long.parseLong(afterComm[UTIME_AFTER_COMM + 1]) * STEP_NS);
    }
}
