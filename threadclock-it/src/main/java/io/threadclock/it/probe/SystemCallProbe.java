// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Paths;

/** Work that is nearly all system time: the kernel fills large buffers with zeros. Argument: how many GiB. */
public final class SystemCallProbe {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int BUFFER_BYTES = 1 << 18;
    private static final int BUFFERS_IN_GIB = (1 << 30) / BUFFER_BYTES;

    private SystemCallProbe() {}

    public static void main(String[] arguments) throws IOException {
        long buffers = Long.parseLong(arguments[0]) * BUFFERS_IN_GIB;
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        try (FileChannel zeros = FileChannel.open(Paths.get("/dev/zero"))) {
            long cpuBeginNs = THREADS.getCurrentThreadCpuTime();
            long userBeginNs = THREADS.getCurrentThreadUserTime();
            for (long i = 0; i < buffers; i++) {
                buffer.clear();
                zeros.read(buffer);
            }
            Fact.print("user", THREADS.getCurrentThreadUserTime() - userBeginNs);
            Fact.print("cpu", THREADS.getCurrentThreadCpuTime() - cpuBeginNs);
        }
    }
}
