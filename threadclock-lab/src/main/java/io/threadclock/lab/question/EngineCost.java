// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Exchange;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.ScratchDirectory;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.contender.LateAgent;
import io.threadclock.lab.program.EngineProgram;
import io.threadclock.lab.program.EngineProgram.Way;
import io.threadclock.lab.program.HistogramText;
import io.threadclock.lab.program.UnitLedger;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.ResultsDraft;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Measures what an engine pays for knowing the cost of each unit of its work, in throughput, in CPU time, and in the tail.
 * The engine is an embedded QuestDB, one thread of which runs SQL queries of about 0.1 ms each
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
public final class EngineCost {
    /** The oldest JDK that the engine runs on. */
    public static final int OLDEST_FEATURE = 17;

    public static final String OFF = "off";
    /** The unmodified ThreadMXBean while the agent is active. */
    public static final String AGENT = "threadclock by ThreadMXBean";

    public static final String UNITS = "units of work";
    public static final String CPU_TIME = "CPU time";
    public static final String USER_TIME = "user time";
    /** Quantities of {@link Benchmarks#ENGINE_CHARGES}, beside units, user and CPU time. */
    public static final String WITHOUT_USER_TIME = "units without user time";

    public static final String USER_ABOVE_CPU = "units with more user than CPU time";
    public static final String BROKEN = "readings out of range or backward";
    /** A quantity of {@link Benchmarks#ENGINE_CALL}: the timer's own time, with no call between. */
    public static final String TIMER = "timer alone";

    private static final int HISTORY_ROWS = 60_000;
    private static final Duration START = Duration.ofMinutes(2);
    /** A slice is one cycle of units, about a millisecond. In a shorter slice, less changes from one to the next. */
    private static final int CYCLES = 1;

    /** With splits, so many of them have a quantum of a cycle in a slice. */
    private static final int QUANTA = 4;

    private static final int MOST_ROUNDS_PER_BLOCK = 50;
    /** If others use the CPUs, a round takes twenty times as long, and this few must do. */
    private static final int FEWEST_ROUNDS_PER_BLOCK = 5;

    /** The first calls after the agent was attached run uncompiled. */
    private static final long SETTLE_MS = 500;
    /** Any value; it is fixed so that two runs are alike. */
    private static final long SEED = 8_210_452;

    private static final double ONE_THREAD = 1;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final Plan plan;
    private final Progress progress;
    private final ResultsDraft draft;
    private final Random random = new Random(SEED);
    private int roundsPerBlock;
    /** The histograms by subject, added up over all blocks. */
    private final Map<Subject, Histogram> histograms = new LinkedHashMap<>();

    private final Map<Subject, Long> charges = new LinkedHashMap<>();

    /**
     * Every series that is added has one round for each block: {@code engine.throughput} (1/s) and {@code engine.cpu} (ns
     * of a unit) are those of the block's median slice, {@code engine.cost} (%) is against {@code off} in turn.
     */
    public EngineCost(Jdk jdk, AgentLibrary agent, Plan plan, Progress progress, ResultsDraft draft) {
        this.jdk = jdk;
        this.agent = agent;
        this.plan = plan;
        this.progress = progress;
        this.draft = draft;
    }

    /**
     * How much to measure on each JDK.
     *
     * @param launches how often the JVM is started anew: each is compiled and laid out anew
     * @param warmupMs how long all contenders work in turn before anything counts
     * @param withoutAgentMs how long those work in turn that need no agent
     * @param withAgentMs how long off and ThreadMXBean work in turn while the agent is in force
     * @param contender the one beside off and ThreadMXBean
     */
    public record Plan(int launches, long warmupMs, long withoutAgentMs, long withAgentMs, Way contender) {
        /** Less than this part of a plan shows nothing. */
        private static final double LEAST_PART = 0.3;

        /** Under two minutes: intervals of a few tenths of a per cent. */
        public static Plan full() {
            return new Plan(2, 3000, 14_000, 6000, Way.STOPWATCH);
        }

        /** Under half a minute. */
        public static Plan quick() {
            return new Plan(1, 1800, 5000, 2000, Way.STOPWATCH);
        }

        /** The time of all launches once their programs have started. */
        public long durationMs() {
            return launches * (warmupMs + withoutAgentMs + SETTLE_MS + withAgentMs);
        }

        /** The plan within this budget: never more than this plan, and never next to nothing. */
        public Plan within(long budgetMs) {
            return times(Math.max(LEAST_PART, (double) budgetMs / durationMs()));
        }

        Plan times(double factor) {
            double part = Math.min(1, factor);
            return new Plan(
                    launches,
                    (long) (warmupMs * part),
                    (long) (withoutAgentMs * part),
                    (long) (withAgentMs * part),
                    contender);
        }

        private List<Way> withoutAgent() {
            return List.of(Way.NONE, Way.THREAD_MX_BEAN, contender);
        }

        /** The library uses its own clock in both halves; ThreadMXBean answers from another one in the second. */
        private List<Way> withAgent() {
            return contender == Way.STOPWATCH
                    ? List.of(Way.NONE, Way.THREAD_MX_BEAN)
                    : List.of(Way.NONE, Way.THREAD_MX_BEAN, contender);
        }
    }

    /**
     * Measures as long as the plan says, or less if that exceeds the budget, including the start of the programs.
     *
     * @throws io.threadclock.harness.SetupException if the program or the agent cannot do its work
     */
    public void measure(long budgetMs) {
        long beginNs = System.nanoTime();
        for (int launch = 1; launch <= plan.launches(); launch++) {
            progress.stage(
                    jdk + ": engine" + (plan.launches() > 1 ? ", JVM " + launch + " of " + plan.launches() : ""));
            try (ScratchDirectory scratch = ScratchDirectory.create("threadclock-lab-");
                    Exchange child = start(scratch)) {
                roundsPerBlock = FEWEST_ROUNDS_PER_BLOCK;
                child.ask(turns(plan.withoutAgent()), EngineProgram.Done.class, START);
                measure(child, plan.within(budgetMs - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs)));
                child.agentLines().forEach(line -> draft.note("JDK " + jdk.version() + ", engine: " + line));
            }
        }
        finish();
    }

    /**
     * Measures the same on the virtual threads of two schedulers, of which one has accounted threads and attributes the
     * work. A slice is a quantum each of some splits. The series of
     * {@code virtual.splits.throughput} and {@code virtual.splits.cost} have one round for each block.
     */
    public void measureVirtual() {
        List<Way> ways = List.of(Way.NONE, Way.STOPWATCH);
        for (int launch = 1; launch <= plan.launches(); launch++) {
            progress.stage(jdk + ": engine on virtual threads, JVM " + launch + " of " + plan.launches());
            try (ScratchDirectory scratch = ScratchDirectory.create("threadclock-lab-");
                    Exchange child = start(scratch, EngineProgram.VIRTUAL)) {
                roundsPerBlock = FEWEST_ROUNDS_PER_BLOCK;
                child.ask(turns(ways, QUANTA), EngineProgram.Done.class, START);
                long roundNs = work(child, () -> turns(ways, QUANTA), plan.warmupMs());
                roundsPerBlock = roundsPerBlock(plan.withoutAgentMs(), roundNs);
                long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(plan.withoutAgentMs());
                for (int blocks = 0; blocks < CentreInterval.FEWEST || System.nanoTime() - endNs < 0; blocks++) {
                    addVirtual(new Block(
                            child.ask(turns(ways, QUANTA), EngineProgram.Done.class)
                                    .slices(),
                            ways.size()));
                }
            }
        }
    }

    private void addVirtual(Block block) {
        for (Way way : List.of(Way.NONE, Way.STOPWATCH)) {
            Subject throughput = subject(Benchmarks.SPLITS_THROUGHPUT, contender(way, false), UNITS);
            draft.add(throughput, "1/s", block.unitsPerSecond(way));
        }
        Subject cost = subject(Benchmarks.SPLITS_COST, Contest.THREADCLOCK, UNITS);
        draft.add(cost, "%", block.throughputCostPercent(Way.STOPWATCH));
    }

    /** Adds the results that are summed up over all blocks. */
    void finish() {
        histograms.forEach((subject, ns) -> draft.add(Measurement.of(subject, "ns", ns)));
        charges.forEach((subject, count) -> draft.add(subject, unit(subject), count));
    }

    private void measure(Exchange child, Plan fitted) {
        progress.step("warming up");
        long roundNs = work(child, () -> turns(fitted.withoutAgent()), fitted.warmupMs());
        roundsPerBlock = roundsPerBlock(Math.min(fitted.withoutAgentMs(), fitted.withAgentMs()), roundNs);
        progress.step("stock");
        workAndCount(child, fitted.withoutAgent(), fitted.withoutAgentMs(), false);
        new LateAgent(agent).attachTo(child.pid());
        Contenders.requireAgent(child);
        progress.step("threadclock");
        work(child, () -> turns(fitted.withAgent()), SETTLE_MS);
        workAndCount(child, fitted.withAgent(), fitted.withAgentMs(), true);
    }

    /** Returns how long a round takes, in ns. */
    private long work(Exchange child, Supplier<EngineProgram.Turns> turns, long durationMs) {
        long beginNs = System.nanoTime();
        long endNs = beginNs + TimeUnit.MILLISECONDS.toNanos(durationMs);
        long rounds = 0;
        do {
            child.ask(turns.get(), EngineProgram.Done.class);
            rounds += roundsPerBlock;
        } while (System.nanoTime() - endNs < 0);
        return (System.nanoTime() - beginNs) / rounds;
    }

    /** As many rounds as leave time for the blocks that an interval needs. */
    static int roundsPerBlock(long durationMs, long roundNs) {
        long rounds = TimeUnit.MILLISECONDS.toNanos(durationMs) / CentreInterval.FEWEST / Math.max(1, roundNs);
        return (int) Math.max(FEWEST_ROUNDS_PER_BLOCK, Math.min(MOST_ROUNDS_PER_BLOCK, rounds));
    }

    private void workAndCount(Exchange child, List<Way> ways, long durationMs, boolean hasAgent) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        for (int blocks = 0; blocks < CentreInterval.FEWEST || System.nanoTime() - endNs < 0; blocks++) {
            add(ways, child.ask(turns(ways), EngineProgram.Done.class), hasAgent);
        }
    }

    private EngineProgram.Turns turns(List<Way> ways) {
        return turns(ways, CYCLES);
    }

    private EngineProgram.Turns turns(List<Way> ways, int cycles) {
        return new EngineProgram.Turns(inTurn(ways, roundsPerBlock, random), cycles);
    }

    /** Rounds in which each way has one slice, in a random order for each round. */
    static List<Way> inTurn(List<Way> ways, int rounds, Random random) {
        List<Way> turns = new ArrayList<>();
        List<Way> round = new ArrayList<>(ways);
        for (int i = 0; i < rounds; i++) {
            Collections.shuffle(round, random);
            turns.addAll(round);
        }
        return turns;
    }

    /**
     * Adds a block. For ways that work in both halves, only the first half counts, because further values would come
     * from other moments than the others'.
     */
    void add(List<Way> ways, EngineProgram.Done done, boolean hasAgent) {
        Block block = new Block(done.slices(), ways.size());
        for (Way way : ways) {
            if (way == Way.JUDGED) {
                add(done.judged(), hasAgent ? AGENT : Contest.STOCK);
            } else if (way != Way.NONE || !hasAgent) {
                add(
                        way,
                        contender(way, hasAgent),
                        block,
                        HistogramText.parse(done.unitNs().get(way)));
            }
        }
    }

    private void add(Way way, String contender, Block block, Histogram unitNs) {
        draft.add(subject(Benchmarks.ENGINE_THROUGHPUT, contender, UNITS), "1/s", block.unitsPerSecond(way));
        draft.add(subject(Benchmarks.ENGINE_CPU, contender, CPU_TIME), "ns", block.cpuNs(way));
        if (way != Way.NONE) {
            draft.add(subject(Benchmarks.ENGINE_COST, contender, UNITS), "%", block.throughputCostPercent(way));
            draft.add(subject(Benchmarks.ENGINE_COST, contender, CPU_TIME), "%", block.cpuCostPercent(way));
        }
        add(subject(Benchmarks.ENGINE_LATENCY, contender, UNITS), unitNs);
    }

    private void add(EngineProgram.Judged judged, String contender) {
        add(subject(Benchmarks.ENGINE_CALL, contender, USER_TIME), HistogramText.parse(judged.userCallNs()));
        add(subject(Benchmarks.ENGINE_CALL, contender, CPU_TIME), HistogramText.parse(judged.cpuCallNs()));
        add(subject(Benchmarks.ENGINE_CALL, TIMER, TIMER), HistogramText.parse(judged.timerNs()));
        UnitLedger.Charges charged = judged.charges();
        add(contender, UNITS, charged.units());
        add(contender, USER_TIME, charged.userNs());
        add(contender, CPU_TIME, charged.cpuNs());
        add(contender, WITHOUT_USER_TIME, charged.withoutUserTime());
        add(contender, USER_ABOVE_CPU, charged.userAboveCpu());
        add(contender, BROKEN, charged.outOfRange() + charged.backward());
    }

    private void add(Subject subject, Histogram ns) {
        histograms
                .computeIfAbsent(subject, absent -> new Histogram(SIGNIFICANT_DIGITS))
                .add(ns);
    }

    private void add(String contender, String quantity, long count) {
        charges.merge(subject(Benchmarks.ENGINE_CHARGES, contender, quantity), count, Long::sum);
    }

    private static String unit(Subject charged) {
        return charged.quantity().equals(USER_TIME) || charged.quantity().equals(CPU_TIME) ? "ns" : "1";
    }

    private Subject subject(String benchmark, String contender, String quantity) {
        return new Subject(benchmark, jdk.version(), contender, quantity, ONE_THREAD);
    }

    private static String contender(Way way, boolean hasAgent) {
        return switch (way) {
            case NONE -> OFF;
            case STOPWATCH -> Contest.THREADCLOCK;
            case THREAD_MX_BEAN, JUDGED -> hasAgent ? AGENT : Contest.STOCK;
        };
    }

    private Exchange start(ScratchDirectory scratch, String... options) {
        return new Exchange(
                "the engine on " + jdk,
                ProgramJvm.on(jdk, scratch.path())
                        // One copy of the clock for the library and the agent.
                        .jvmOptions("-Dthreadclock.library=" + agent.path())
                        .mainClass(EngineProgram.class)
                        .arguments(Stream.concat(
                                        Stream.of(
                                                scratch.path()
                                                        .resolve("questdb")
                                                        .toString(),
                                                Integer.toString(HISTORY_ROWS)),
                                        Stream.of(options))
                                .toArray(String[]::new)));
    }
}
