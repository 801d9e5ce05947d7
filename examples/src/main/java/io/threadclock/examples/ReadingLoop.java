// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.threadclock.CpuStopwatch;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * Does a loop that reads a file spend its time in the program or in the kernel? The split shows it, and shows what a
 * buffer changes: it saves system calls, and therefore mostly system time.
 *
 * <pre>java -cp examples/target/threadclock-examples.jar io.threadclock.examples.ReadingLoop</pre>
 */
public final class ReadingLoop {
    private static final int RECORD_BYTES = 64;
    private static final int RECORDS = 400_000;

    private final CpuStopwatch watch = new CpuStopwatch();

    private ReadingLoop() {}

    public static void main(String[] arguments) throws IOException {
        Path file = Files.createTempFile("threadclock-example", ".records");
        try {
            byte[] records = new byte[RECORDS * RECORD_BYTES];
            new Random(1).nextBytes(records);
            Files.write(file, records);
            run(file);
        } finally {
            Files.delete(file);
        }
    }

    private static void run(Path file) throws IOException {
        ReadingLoop loop = new ReadingLoop();
        try (InputStream plain = Files.newInputStream(file)) {
            loop.measure("a system call for each record", plain);
        }
        try (InputStream buffered = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            loop.measure("a system call for each 64 KB", buffered);
        }
    }

    private void measure(String name, InputStream input) throws IOException {
        watch.start();
        int hash = readAll(input);
        watch.stop();
        System.out.printf(
                "%s: CPU %,d ns, user %,d ns, system %,d ns, which is %.0f %% (hash %x)%n",
                name,
                watch.cpuTimeNs(),
                watch.userTimeNs(),
                watch.systemTimeNs(),
                100.0 * watch.systemTimeNs() / watch.cpuTimeNs(),
                hash);
    }

    private static int readAll(InputStream input) throws IOException {
        byte[] record = new byte[RECORD_BYTES];
        int hash = 0;
        while (input.read(record) > 0) {
            hash = 31 * hash + Arrays.hashCode(record);
        }
        return hash;
    }
}
