// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import io.threadclock.it.probe.AirliftProbe;
import io.threadclock.it.probe.JLineProbe;
import io.threadclock.it.probe.SjkProbe;
import io.threadclock.it.probe.TomcatProbe;
import java.nio.file.Files;
import java.nio.file.Path;

/** A real library that asks for thread times: the place of its files, and the probe that calls it. */
enum Consumer {
    AIRLIFT_FOR_8("airlift-for-8", AirliftProbe.class, 8, 0.33, 1.5),
    AIRLIFT_FOR_17("airlift-for-17", AirliftProbe.class, 17, 0.33, 1.5),
    TOMCAT_FOR_8("tomcat-for-8", TomcatProbe.class, 8, 0.75, 1.5),
    TOMCAT_FOR_17("tomcat-for-17", TomcatProbe.class, 17, 0.75, 1.5),
    JLINE("jline", JLineProbe.class, 11, 0.75, 1.5),
    SJK("sjk", SjkProbe.class, 8, 3, 3);

    /** CPU time, for libraries that report on themselves. */
    static final int WORK_MS = 100;

    private static final String SMALL_HEAP = "-Xmx32m";
    private static final Path FOLDERS = Path.of("target/consumers");

    private final String folder;
    private final Class<?> probe;
    private final int oldestFeature;
    private final double mostOfStockFromProc;
    private final double mostOfStock;

    Consumer(String folder, Class<?> probe, int oldestFeature, double mostOfStockFromProc, double mostOfStock) {
        this.folder = folder;
        this.probe = probe;
        this.oldestFeature = oldestFeature;
        this.mostOfStockFromProc = mostOfStockFromProc;
        this.mostOfStock = mostOfStock;
    }

    /** Whether it runs on this JDK; those that take long run on the oldest and the newest one only. */
    boolean isTriedOn(Jdk jdk) {
        boolean runs = jdk.feature() >= oldestFeature;
        if (Thoroughness.BRIEF) {
            return runs && (this == AIRLIFT_FOR_17 || this == TOMCAT_FOR_17);
        }
        return runs
                && (jdk.feature() == oldestFeature || readsTheCurrentThread() || Thoroughness.isOldestOrNewest(jdk));
    }

    /**
     * The most that a call may cost with the agent, as a part of what it costs on a stock JDK that reads user time from
     * /proc: about twice what was measured. How much of a call that is depends on what else it does; the cost of SJK is
     * that of a whole process, in clock ticks, of which readings are a small part: runs differ by up to twice.
     */
    double mostOfStockFromProc() {
        return mostOfStockFromProc;
    }

    /** The same bound where stock user time is a system call like CPU time, and readings are a small part of a call. */
    double mostOfStock() {
        return mostOfStock;
    }

    boolean readsTheCurrentThread() {
        return probe == AirliftProbe.class;
    }

    /** The probe on the stock JDK. A thread dump with locks walks the heap, with its garbage. */
    Program on(Jdk jdk) {
        Path place = FOLDERS.resolve(folder);
        if (!Files.isDirectory(place)) {
            throw new SetupException("Looking for " + this + ": " + place.toAbsolutePath() + " is no folder. "
                    + "Run ./mvnw -pl tests/it -am verify, which copies it there.");
        }
        return Program.stock(jdk, probe, Integer.toString(WORK_MS))
                .jvmOption(SMALL_HEAP)
                .libraries(place);
    }
}
