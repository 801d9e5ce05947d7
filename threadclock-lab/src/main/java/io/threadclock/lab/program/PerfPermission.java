// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Whether this process may sample the kernel's side of its own threads. Where it may not, perf_event_open samples their
 * user side alone, and a system call seems to cost nothing.
 */
final class PerfPermission {
    private static final Path PARANOID = Path.of("/proc/sys/kernel/perf_event_paranoid");
    private static final Path STATUS = Path.of("/proc/self/status");
    /** From 2 on, only the privileged see the kernel's side. */
    private static final int KERNEL_HIDDEN_FROM = 2;

    private static final String CAPABILITIES = "CapEff:";
    /** CAP_SYS_ADMIN and, since Linux 5.8, CAP_PERFMON: capabilities(7). */
    private static final long PRIVILEGED = 1L << 21 | 1L << 38;

    private PerfPermission() {}

    static boolean includesKernel() throws IOException {
        return Files.exists(PARANOID) && includesKernel(paranoid(), Files.readAllLines(STATUS));
    }

    /** Not by Files.readString(), which asks for one byte first and gets no more: of -1 the sign. */
    private static String paranoid() throws IOException {
        try (BufferedReader line = Files.newBufferedReader(PARANOID)) {
            return line.readLine().strip();
        }
    }

    static boolean includesKernel(String paranoid, List<String> status) {
        return Integer.parseInt(paranoid) < KERNEL_HIDDEN_FROM
                || status.stream()
                        .filter(line -> line.startsWith(CAPABILITIES))
                        .map(line -> line.substring(CAPABILITIES.length()).strip())
                        .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) & PRIVILEGED) != 0);
    }
}
