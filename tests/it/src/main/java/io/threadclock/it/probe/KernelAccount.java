// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** The kernel's own times of the calling thread, read without the JVM, with which answers are compared. */
final class KernelAccount {
    private static final Path THREAD = Paths.get("/proc/thread-self"); // since Linux 3.17
    private static final Path TASKS = Paths.get("/proc/self/task");

    private KernelAccount() {}

    /** CPU time in ns; it may lag behind by up to a clock tick. */
    static long cpuNs() {
        return cpuNs(THREAD);
    }

    /** CPU time of another thread; it is up to date if the thread does not run. */
    static long cpuNsOf(int tid) {
        return cpuNs(TASKS.resolve(Integer.toString(tid)));
    }

    /** User and system time of the calling thread as the kernel divides them, in its ticks of 10 ms. */
    static long[] splitTicks() {
        return splitTicks(THREAD);
    }

    /** The same of another thread. */
    static long[] splitTicksOf(int tid) {
        return splitTicks(TASKS.resolve(Integer.toString(tid)));
    }

    private static long[] splitTicks(Path thread) {
        String stat = read(thread.resolve("stat"));
        String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new long[] {Long.parseLong(afterName[11]), Long.parseLong(afterName[12])};
    }

    private static long cpuNs(Path thread) {
        String account = read(thread.resolve("schedstat"));
        return Long.parseLong(account.substring(0, account.indexOf(' ')));
    }

    /** Whether another thread waits in the kernel, and has not only told the JVM that it will. */
    static boolean isAsleep(int tid) {
        String status = read(TASKS.resolve(Integer.toString(tid)).resolve("stat"));
        return status.startsWith(") S", status.lastIndexOf(')'));
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.US_ASCII);
        } catch (IOException refused) {
            throw new UncheckedIOException("reading " + file + " failed", refused);
        }
    }

    static int tid() {
        try {
            return Integer.parseInt(Files.readSymbolicLink(THREAD).getFileName().toString());
        } catch (IOException refused) {
            throw new UncheckedIOException("reading the link " + THREAD + " failed", refused);
        }
    }
}
