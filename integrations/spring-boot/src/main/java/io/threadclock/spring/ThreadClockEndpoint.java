// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.threadclock.ClockUnavailableException;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.VirtualThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * Tells how the clock reads here, and which threads have used the most CPU time. Thread-safe.
 *
 * @since 0.1
 */
@Endpoint(id = "threadclock")
public class ThreadClockEndpoint {
    private static final int MOST = 10;

    /** In place of a source. */
    private static final String NONE = "none";

    private final boolean waits;

    /** Spring creates it, in a platform thread: in a virtual one, which may have the request, waits are never known. */
    public ThreadClockEndpoint() {
        waits = ThreadClock.canRead() && ThreadClock.waits().runDelayNs() >= 0;
    }

    /** {@return the answer, which reads all threads once} */
    @ReadOperation
    public Answer answer() {
        String source = source();
        return new Answer(
                ThreadClock.isSupported(),
                source,
                ThreadClock.explanation()
                        .lines()
                        .filter(line -> !line.isEmpty())
                        .toList(),
                waits,
                VirtualThreads.explanation(),
                Surroundings.ofThisProgram(),
                source.equals(NONE) ? List.of() : costliest());
    }

    /** The thread that asks may be a virtual one, which cannot be read, and the others can all the same. */
    static String source() {
        try {
            return ThreadClock.source().toString();
        } catch (ClockUnavailableException refused) {
            return NONE;
        }
    }

    private static List<ThreadCost> costliest() {
        ThreadsSnapshot snapshot;
        try {
            snapshot = ThreadsSnapshot.take(MOST);
        } catch (ClockUnavailableException refused) { // this JVM lists its threads in a way that is not known
            return List.of();
        }
        return Stream.concat(
                        snapshot.threads().stream().map(one -> new ThreadCost(one, false)),
                        snapshot.virtualThreads().stream().map(one -> new ThreadCost(one, true)))
                .sorted(Comparator.comparingLong(ThreadCost::cpuTimeNs).reversed())
                .limit(MOST)
                .toList();
    }

    /**
     * The answer.
     *
     * @param supported whether the clock is; if not, the JDK's own figures stand in
     * @param source in use
     * @param explanation which source is in use, and why not a better one
     * @param waits whether the run delay of the program's platform threads is known
     * @param virtualThreads whether virtual threads can be measured, or why not
     * @param surroundings on which all this depends
     * @param costliestThreads the living threads with the most CPU time since each started, most first; a virtual
     *     thread's time is part of its carriers'
     */
    public record Answer(
            boolean supported,
            String source,
            List<String> explanation,
            boolean waits,
            String virtualThreads,
            Surroundings surroundings,
            List<ThreadCost> costliestThreads) {}

    /**
     * The machine and the JVM, for a report of a problem.
     *
     * @param java its version and vendor
     * @param kernel its name, release and architecture
     * @param cpus that the JVM may use
     * @param clocksource of the kernel; null if it cannot be read
     * @param perfEventParanoid sysctl kernel.perf_event_paranoid: above 2, the source {@code perf} needs privileges;
     *     null if it cannot be read
     */
    public record Surroundings(
            String java, String kernel, int cpus, @Nullable String clocksource, @Nullable String perfEventParanoid) {
        static Surroundings ofThisProgram() {
            return new Surroundings(
                    System.getProperty("java.vm.name") + " " + Runtime.version() + ", "
                            + System.getProperty("java.vendor"),
                    System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                            + System.getProperty("os.arch"),
                    Runtime.getRuntime().availableProcessors(),
                    line("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
                    line("/proc/sys/kernel/perf_event_paranoid"));
        }

        private static @Nullable String line(String file) {
            try {
                return Files.readString(Path.of(file)).strip();
            } catch (IOException absent) {
                return null;
            }
        }
    }

    /**
     * The cost of a thread since it started, in ns.
     *
     * @param id of Java
     * @param name of the thread
     * @param virtual whether it is a virtual thread
     * @param cpuTimeNs user time + system time
     * @param userTimeNs in the program's own code
     * @param systemTimeNs in the kernel
     */
    public record ThreadCost(
            long id, String name, boolean virtual, long cpuTimeNs, long userTimeNs, long systemTimeNs) {
        ThreadCost(ThreadSample sample, boolean virtual) {
            this(
                    sample.threadId(),
                    sample.name(),
                    virtual,
                    sample.cpuTimeNs(),
                    sample.userTimeNs(),
                    sample.systemTimeNs());
        }
    }
}
