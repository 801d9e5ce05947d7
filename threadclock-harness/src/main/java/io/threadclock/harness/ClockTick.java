// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The kernel's clock tick (1/HZ), measured without native code: Linux stamps a new file with a clock that advances at
 * each tick, so the smallest usual step between the stamps of files created one after another is one tick.
 */
public final class ClockTick {
    private static final long MEASUREMENT_NS = TimeUnit.MILLISECONDS.toNanos(60);
    /** On a busy machine one measurement may see too few ticks one by one. */
    private static final int ATTEMPTS = 4;
    /** The values of HZ that kernels are built with. A measurement that is not within 1 % of one is not a tick. */
    private static final List<Integer> KNOWN_HZ = List.of(100, 250, 300, 1000);
    /** Steps are compared to this precision: a tick of 4 ms shows as 4 000 000 or 3 999 999 ns. */
    private static final long STEP_PRECISION_NS = TimeUnit.MICROSECONDS.toNanos(10);
    /** A step must occur this often: since Linux 6.13, reading a file may give it a finer stamp, once. */
    private static final int USUAL = 2;

    private ClockTick() {}

    /**
     * Ticks per second (HZ), or empty where the file system does not stamp by the tick. Takes about 0.1 s.
     *
     * @throws SetupException if no temporary file can be created
     */
    public static OptionalLong perSecond() {
        OptionalLong perSecond = OptionalLong.empty();
        for (int attempt = 0; attempt < ATTEMPTS && perSecond.isEmpty(); attempt++) {
            perSecond = measure();
        }
        return perSecond;
    }

    private static OptionalLong measure() {
        try (ScratchDirectory directory = ScratchDirectory.create("threadclock-tick-")) {
            return perSecond(stampsNs(directory.path()));
        } catch (IOException refused) {
            throw new SetupException(
                    "Creating files to measure the clock tick failed: " + refused
                            + ". Make the temporary directory writable, or set TMPDIR.",
                    refused);
        }
    }

    static OptionalLong perSecond(List<Long> stampsNs) {
        Map<Long, Integer> steps = new TreeMap<>();
        for (int i = 1; i < stampsNs.size(); i++) {
            long stepNs = stampsNs.get(i) - stampsNs.get(i - 1);
            steps.merge(Math.round((double) stepNs / STEP_PRECISION_NS) * STEP_PRECISION_NS, 1, Integer::sum);
        }
        return steps.entrySet().stream()
                .filter(step -> step.getKey() > 0 && step.getValue() >= USUAL)
                .findFirst()
                .map(step -> knownHz(1e9 / step.getKey()))
                .orElse(OptionalLong.empty());
    }

    private static OptionalLong knownHz(double perSecond) {
        return KNOWN_HZ.stream()
                .filter(hz -> Math.abs(perSecond - hz) < 0.01 * hz)
                .mapToLong(Integer::longValue)
                .findFirst();
    }

    /** Reads the stamps only after all files exist, because reading one may make its next stamp finer. */
    private static List<Long> stampsNs(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < MEASUREMENT_NS) {
            files.add(Files.createFile(directory.resolve(Integer.toString(files.size()))));
        }
        List<Long> stampsNs = new ArrayList<>();
        for (Path file : files) {
            stampsNs.add(Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS));
        }
        return stampsNs;
    }
}
