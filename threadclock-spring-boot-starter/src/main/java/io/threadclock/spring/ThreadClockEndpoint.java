// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.threadclock.ThreadClock;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.VirtualThreads;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** Tells how the clock reads here, and which threads have used the most CPU time. Thread-safe. */
@Endpoint(id = "threadclock")
public class ThreadClockEndpoint {
    private static final int MOST = 10;
    /** Spring creates it. */
    public ThreadClockEndpoint() {}

    /** {@return the answer, which reads all threads once} */
    @ReadOperation
    public Answer answer() {
        List<ThreadCost> costliest = List.of();
        if (ThreadClock.isSupported() || ThreadClock.canRead()) {
            ThreadsSnapshot snapshot = ThreadsSnapshot.take(MOST);
            costliest = Stream.concat(
                            snapshot.threads().stream().map(one -> new ThreadCost(one, false)),
                            snapshot.virtualThreads().stream().map(one -> new ThreadCost(one, true)))
                    .sorted(Comparator.comparingLong(ThreadCost::cpuTimeNs).reversed())
                    .limit(MOST)
                    .toList();
        }
        return new Answer(
                ThreadClock.isSupported(),
                ThreadClock.explanation().lines().toList(),
                VirtualThreads.explanation(),
                costliest);
    }

    /**
     * The answer.
     *
     * @param supported whether the clock is; if not, the JDK's own figures stand in
     * @param explanation which source is in use, and why
     * @param virtualThreads whether virtual threads can be accounted, or why not
     * @param costliestThreads the living threads with the most CPU time since each started, most first; a virtual thread's
     *     time is part of its carriers'
     */
    public record Answer(
            boolean supported, List<String> explanation, String virtualThreads, List<ThreadCost> costliestThreads) {}

    /**
     * What a thread has cost since it started, in ns.
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
