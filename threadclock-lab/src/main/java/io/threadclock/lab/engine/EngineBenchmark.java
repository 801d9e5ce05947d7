// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine;

import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Series;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import java.util.List;

/**
 * What an engine pays for the knowledge of what each unit of its work has cost: of its throughput, of its CPU time, and
 * in the tail. The engine is the demo's: an embedded QuestDB, one thread of which runs SQL queries of about 0.1 ms each
 * over ingested rows and, every eighth time, posts a batch of 20 rows over HTTP. Contenders: no attribution; user and
 * CPU time before and after each unit through the stock ThreadMXBean; a {@code CpuStopwatch} around each unit; and, in
 * a second half, the same ThreadMXBean calls while the agent is in force.
 *
 * <h2>How half a per cent is seen on a noisy machine</h2>
 *
 * <p>All contenders work in one JVM, on the same compiled code, data and connection; only who reads the clock differs.
 * They take turns in slices of one cycle of units, which is always the same work and takes about a millisecond, so
 * that what happens to the machine (other programs, stolen time, a change of frequency, the collector, QuestDB's own
 * threads) happens to all. The order within a round of one slice each is drawn anew, and a contender is compared with {@code off}
 * of the same round alone. If attribution cost nothing, the logarithm of that ratio would therefore be as often above
 * zero as below, by as much, whatever the noise is like: its median has no bias. The median of each block of rounds is
 * a round of the {@code engine.cost} series, and {@link CentreInterval} of that series says what attribution costs and
 * how well that is known. On a busy machine, slices of 16 cycles gave intervals several times as wide.
 *
 * <h2>What the figures are not</h2>
 *
 * <ul>
 *   <li>Medians leave out what is rare: a read that takes milliseconds once in ten thousand is in the latencies alone.
 *   <li>What a slice leaves in the caches, the next one pays for; stock leaves the most. Two units at the start of each
 *       slice do not count for that reason. What is left of it {@code off} and the library pay alike, because they
 *       follow stock equally often; stock itself seems slightly cheaper than it is.
 *   <li>Wall time includes the waiting for the server's answer to a batch. The thread's CPU time does not, and is the
 *       quieter figure; attribution is a larger share of it. It is read at both ends of a slice through ThreadMXBean:
 *       the kernel's clock or, in the second half, threadclock's, which agree to microseconds of the slice.
 *   <li>The time of a unit is the wall time between two {@code System.nanoTime()}, attribution included; the two calls
 *       and the histogram are part of all contenders.
 * </ul>
 */
public final class EngineBenchmark {
    /** The oldest JDK that the engine runs on. */
    public static final int OLDEST_FEATURE = 17;

    private EngineBenchmark() {}

    /**
     * What was measured on one JDK. Every series has one round for each block; {@code engine.throughput} (1/s) and
     * {@code engine.cpu} (ns of a unit) are those of the block's median slice, {@code engine.cost} (%) is against
     * {@code off} in turn: of throughput ({@code units of work}) and of {@code CPU time}.
     */
    public record Outcome(List<Series> series, List<Distribution> distributions, List<String> notes) {}

    /** @throws io.threadclock.harness.SetupException if the program or the agent cannot do its work */
    public static Outcome measure(Jdk jdk, AgentLibrary agent, EnginePlan plan, Progress progress) {
        EngineMeasurement measurement = new EngineRun(jdk, agent, plan, progress).measure();
        return new Outcome(measurement.series(), measurement.distributions(), measurement.notes());
    }
}
