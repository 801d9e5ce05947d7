// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;

/** Work by which the calling thread uses up CPU time by the kernel's account; returns the account at the end, in ns. */
final class Work {
    private static final int BUFFER_BYTES = 1 << 18;
    private static final int READS_PER_LOOK = 20;

    private Work() {}

    /** Nearly all user time. */
    static long spin(long cpuMs) {
        long endNs = TimeUnit.MILLISECONDS.toNanos(cpuMs) + movedAccountNs();
        long nowNs;
        do {
            Spin.forMs(1);
            nowNs = KernelAccount.cpuNs();
        } while (nowNs < endNs);
        return nowNs;
    }

    /** The account when it moves. Before, it may lack what the thread has done since the last clock tick. */
    private static long movedAccountNs() {
        long beforeNs = KernelAccount.cpuNs();
        long nowNs;
        do {
            Spin.forMs(1);
            nowNs = KernelAccount.cpuNs();
        } while (nowNs == beforeNs);
        return nowNs;
    }

    /** Nearly all system time: the kernel fills large buffers with zeros. */
    static long readZeros(long cpuMs) {
        long endNs = TimeUnit.MILLISECONDS.toNanos(cpuMs) + KernelAccount.cpuNs();
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        try (FileChannel zeros = FileChannel.open(Paths.get("/dev/zero"))) {
            long nowNs;
            do {
                for (int i = 0; i < READS_PER_LOOK; i++) {
                    buffer.clear();
                    zeros.read(buffer);
                }
                nowNs = KernelAccount.cpuNs();
            } while (nowNs < endNs);
            return nowNs;
        } catch (IOException refused) {
            throw new UncheckedIOException("reading /dev/zero failed", refused);
        }
    }
}
