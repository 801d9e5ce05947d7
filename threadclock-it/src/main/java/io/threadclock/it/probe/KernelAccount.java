// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** What the kernel itself says of the calling thread, past the JVM: what answers are held against. */
final class KernelAccount {
    private static final Path THREAD = Paths.get("/proc/thread-self"); // since Linux 3.17
    private static final Path SCHEDSTAT = THREAD.resolve("schedstat");

    private KernelAccount() {}

    /** CPU time in ns; it may lag behind by up to a clock tick. */
    static long cpuNs() {
        try {
            String account = new String(Files.readAllBytes(SCHEDSTAT), StandardCharsets.US_ASCII);
            return Long.parseLong(account.substring(0, account.indexOf(' ')));
        } catch (IOException refused) {
            throw new UncheckedIOException("reading " + SCHEDSTAT + " failed", refused);
        }
    }

    static int tid() {
        try {
            return Integer.parseInt(
                    Files.readSymbolicLink(THREAD).getFileName().toString());
        } catch (IOException refused) {
            throw new UncheckedIOException("reading the link " + THREAD + " failed", refused);
        }
    }
}
