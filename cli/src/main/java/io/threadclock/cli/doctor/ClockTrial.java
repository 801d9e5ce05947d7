// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.ThreadClock;
import io.threadclock.TimesHolder;
import io.threadclock.cli.attach.SourceNames;
import io.threadclock.cli.process.KernelFiles;
import io.threadclock.cli.process.Refusal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Makes the clock of this process read from each source in turn, and measures those that are sound. The sources
 * {@code proc} and {@code ticks} read as JDKs do.
 */
public final class ClockTrial {
    private static final int AUTO = SourceNames.ALL.indexOf(SourceNames.AUTO);
    private static final int SMOOTHED = 0; // of enum tclk_split
    private static final int SAMPLED = 3;

    /** The least of this many rounds counts, because anything else that runs makes a round longer, never shorter. */
    private static final int ROUNDS = 30;

    private static final int CALLS_A_ROUND = 100;

    private static final int TICKS = 3;
    /** CPU time in which so many are seen where any are. */
    private static final long STEPS_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** Some 20 us, so that most ticks find the thread outside of a system call. */
    private static final int WORK_ROUNDS = 20_000;

    private final Map<String, Double> readNs = new HashMap<>();
    private final Map<String, Long> stepNs = new HashMap<>();
    private final TimesHolder holder = new TimesHolder();
    private double callNs;
    private long state = 1;

    private ClockTrial() {}

    /**
     * Tries the clock of this library in this process, for about 0.2 s. Call it once.
     *
     * @throws Refusal if the library cannot be loaded, or is another version's
     */
    public static Examination of(Path library) {
        System.setProperty("threadclock.library", library.toString());
        System.setProperty("threadclock.strict", "true"); // otherwise it logs a refusal, and goes on without
        System.setProperty("threadclock.binding", "jni"); // sooner loaded than the other one
        if (!ThreadClock.isSupported()) {
            throw new Refusal(
                    "loading " + library,
                    "doctor cannot use it, " + ThreadClock.explanation().replaceFirst(".*? Tried: (.*?);.*", "$1"),
                    "Use the library that comes with this command.");
        }
        return new ClockTrial().examination();
    }

    private static native int configure(int source, int split);

    /** {@return 1/HZ} */
    private static native long tickNs();

    private Examination examination() {
        for (int source = SourceNames.ALL.size() - 1; source > AUTO; source--) {
            tryOut(SourceNames.ALL.get(source)); // the fastest one last, when all has been compiled
        }
        ThreadClock.waits();
        configure(AUTO, SAMPLED); // last, because that is for good
        String nohzFull = KernelFiles.SYSTEM.text("sys/devices/system/cpu/nohz_full");
        return Examination.of(ThreadClock.explanation(), readNs, stepNs, callNs, tickNs(), nohzFull);
    }

    private void tryOut(String source) {
        if (configure(SourceNames.ALL.indexOf(source), SMOOTHED) != 0) {
            return;
        }
        readNs.put(source, leastNs(this::read));
        switch (source) {
            case SourceNames.CLOCK -> callNs = leastNs(ThreadClock::cpuTimeNs);
            case SourceNames.PROC -> stepNs.put(source, medianStepNs(1)); // it follows CPU time, in units of 10 ms
            case SourceNames.TICKS -> stepNs.put(source, medianStepNs(TICKS));
            default -> {}
        }
    }

    private long read() {
        ThreadClock.read(holder);
        return holder.userTimeNs();
    }

    private double leastNs(LongSupplier call) {
        long leastNs = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            leastNs = Math.min(leastNs, roundNs(call));
        }
        return (double) leastNs / CALLS_A_ROUND;
    }

    private long roundNs(LongSupplier call) {
        long beginNs = System.nanoTime();
        for (int i = 0; i < CALLS_A_ROUND; i++) {
            state += call.getAsLong();
        }
        return System.nanoTime() - beginNs;
    }

    /** The step by which user time moves while the thread does hardly anything but user work; 0: it stands still. */
    private long medianStepNs(int count) {
        List<Long> steps = new ArrayList<>();
        long beginNs = ThreadClock.cpuTimeNs();
        long lastNs = ThreadClock.userTimeNs();
        while (steps.size() < count && ThreadClock.cpuTimeNs() - beginNs < STEPS_NS) {
            work();
            long nowNs = ThreadClock.userTimeNs();
            if (nowNs != lastNs) {
                steps.add(nowNs - lastNs);
                lastNs = nowNs;
            }
        }
        Collections.sort(steps);
        return steps.isEmpty() ? 0 : steps.get(steps.size() / 2);
    }

    private void work() {
        for (int i = 0; i < WORK_ROUNDS; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
        }
    }
}
