// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.threadclock.PoolAccumulator;
import io.threadclock.PoolTimes;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.VirtualPoolTimes;
import io.threadclock.VirtualThreads;
import io.threadclock.micrometer.ThreadClockMeter.Key;
import io.threadclock.micrometer.ThreadClockMeter.NanoTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/**
 * The cost of thread pools: {@code threadclock.pool.cpu.time} in seconds, by {@code pool} and {@code mode}
 * ({@code user}, {@code system}), {@code threadclock.pool.run.delay} in seconds, the time in which its threads wanted
 * to run and had no CPU, {@code threadclock.pool.not.running}, the time in which they did not want to, and
 * {@code threadclock.pool.threads}. The second and third are missing if the kernel does not count the second.
 *
 * <p>Once there are measured virtual threads ({@link io.threadclock.VirtualThreads}), also the cost of their pools:
 * {@code threadclock.virtual.cpu.time}, {@code threadclock.virtual.mounts} and {@code threadclock.virtual.threads}.
 * With the pool {@value io.threadclock.VirtualPoolTimes#REST}, they divide the CPU time of the carriers, whose own pool
 * has it, too.
 *
 * <p>A thread's pool is its {@link io.threadclock.PoolName}, {@code http-nio-8080-exec-*}, or what a rule says
 * ({@link Builder#pool}). There are at most {@value #DEFAULT_MAX_POOLS} pools unless told otherwise, in the order in
 * which they appear; all later ones are joined as {@code other}. A pool stays after its threads have ended, as long as
 * there is room. If another pool needs its place and it has had no threads for five minutes, its meters are removed. If
 * it comes back, it begins at 0.
 *
 * <p>A daemon thread, {@code threadclock-pools}, takes a snapshot each second, so that short-lived threads are seen; a
 * thread that lives for less than that may not be counted. A registry that asks in a platform thread gets figures that
 * are at most 100 ms old. A snapshot costs about one system call for each living thread, and three more for each that
 * has run since the last one.
 *
 * <p>It can be bound to any number of registries. If the clock is not supported and {@code ThreadMXBean} does not stand
 * in, nothing is bound. Thread-safe.
 *
 * @since 0.1
 */
public final class ThreadPoolMetrics extends GuardedBinder implements AutoCloseable {
    static final int DEFAULT_MAX_POOLS = 100;
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);
    private static final long FRESH_NS = 100_000_000;

    private final Tags tags;
    private final Supplier<List<ThreadSample>> snapshots;
    private final List<PoolTimes> pools = new ArrayList<>();
    private final PoolAccumulator accumulator;
    private final VirtualPoolMeters virtualPools;
    private final Runnable alsoEachInterval;
    private final Metronome metronome;
    private final LongSupplier nanoTime;
    private final List<MeterRegistry> registries = new ArrayList<>();

    /** The pools whose meters are being removed. */
    private List<PoolTimes> leaving = Collections.emptyList();

    /** The number of threads that are registering and removing meters, whose work must not be undone meanwhile. */
    private int registrars;

    private boolean hasSnapshot;
    private long takenAtNs;
    private volatile long spentNs;

    /** Groups threads by their names, and takes a snapshot each second. */
    public ThreadPoolMetrics() {
        this(builder());
    }

    private ThreadPoolMetrics(Builder builder) {
        this.tags = builder.tags;
        this.snapshots = builder.snapshots;
        this.nanoTime = builder.nanoTime;
        this.accumulator = builder.accumulator(pools::add);
        this.alsoEachInterval = builder.also;
        this.virtualPools = new VirtualPoolMeters(tags, builder.virtualPools(), nanoTime, FRESH_NS, failures);
        this.metronome = new Metronome("threadclock-pools", false, builder.interval, this::lookAtAll);
    }

    /** {@return a builder for other settings} */
    public static Builder builder() {
        return new Builder();
    }

    /** Registers the meters of all present pools, and of each new pool when its first thread is found. */
    @Override
    void bind(MeterRegistry registry) {
        if (!ThreadClockMetrics.isReadable()) {
            return;
        }
        ThreadClockMeter.MEASURING_CPU_TIME.time(
                registry, tags.and(Key.WORK.is("snapshots")), () -> spentNs + virtualPools.spentNs());
        snapshotUnlessYoungerThan(FRESH_NS);
        try {
            join(registry).forEach(pool -> register(pool, registry));
        } finally {
            finish();
        }
        virtualPools.bindTo(registry);
        metronome.start();
    }

    /** Runs each second. */
    void lookAtAll() {
        snapshotUnlessYoungerThan(0);
        virtualPools.look(0);
        alsoEachInterval.run();
    }

    /** Ends the snapshots that nobody asks for. The meters stay, and return their last state. */
    @Override
    public void close() {
        metronome.close();
    }

    /**
     * The caller registers the pools that exist by now, and the thread that finds a later pool registers it, so that
     * each is registered once.
     */
    private synchronized List<PoolTimes> join(MeterRegistry registry) {
        registrars++;
        registries.add(registry);
        List<PoolTimes> staying = new ArrayList<>(pools);
        staying.removeAll(leaving);
        return staying;
    }

    private synchronized void finish() {
        registrars--;
    }

    /**
     * Registers and removes meters only when it holds no lock any more, because others may read meters in the middle of
     * that.
     */
    private void snapshotUnlessYoungerThan(long ageNs) {
        Changes changes = changesUnlessYoungerThan(ageNs);
        if (changes == null) {
            return;
        }
        try {
            changes.registries.forEach(registry -> {
                changes.found.forEach(pool -> register(pool, registry));
                changes.leaving.forEach(pool -> remove(pool, registry));
            });
            Changes stayed = dismiss(changes.leaving);
            stayed.registries.forEach(registry -> stayed.found.forEach(pool -> register(pool, registry)));
        } finally {
            finish();
        }
    }

    /** Null if there are none. Other threads wait, because the next one would find what this one finds. */
    private synchronized Changes changesUnlessYoungerThan(long ageNs) {
        if (hasSnapshot && nanoTime.getAsLong() - takenAtNs < ageNs) {
            return null;
        }
        long beginNs = ThreadClock.canRead() ? ThreadClock.cpuTimeNs() : 0;
        int before = pools.size();
        takenAtNs = nanoTime.getAsLong();
        accumulator.add(snapshots.get(), takenAtNs);
        hasSnapshot = true;
        if (ThreadClock.canRead()) {
            spentNs = spentNs + (ThreadClock.cpuTimeNs() - beginNs);
        }
        return changesSince(before);
    }

    private Changes changesSince(int before) {
        List<PoolTimes> found = pools.subList(before, pools.size());
        boolean isAlone = registrars == 0;
        List<PoolTimes> toLeave = isAlone ? accumulator.dispensable(takenAtNs) : Collections.emptyList();
        if (found.isEmpty() && toLeave.isEmpty()) {
            return null;
        }
        registrars++;
        leaving = isAlone ? toLeave : leaving;
        return new Changes(found, toLeave, registries);
    }

    /** Returns the pools that have got threads while their meters were removed. */
    private synchronized Changes dismiss(List<PoolTimes> removed) {
        List<PoolTimes> stayed = new ArrayList<>();
        for (PoolTimes pool : removed) {
            if (accumulator.dismiss(pool)) {
                pools.remove(pool);
            } else {
                stayed.add(pool);
            }
        }
        if (!removed.isEmpty()) {
            leaving = Collections.emptyList();
        }
        return new Changes(stayed, Collections.emptyList(), registries);
    }

    /** Pools to register, pools whose meters are to be removed, and the registries at that time. */
    private static final class Changes {
        final List<PoolTimes> found;
        final List<PoolTimes> leaving;
        final List<MeterRegistry> registries;

        Changes(List<PoolTimes> found, List<PoolTimes> leaving, List<MeterRegistry> registries) {
            this.found = new ArrayList<>(found);
            this.leaving = leaving;
            this.registries = new ArrayList<>(registries);
        }
    }

    /** A pool that one registry refuses has meters in the others. */
    private void register(PoolTimes pool, MeterRegistry registry) {
        try {
            registerMeters(pool, registry);
        } catch (Throwable refused) {
            failures.report("Registering the meters of pool " + pool.name(), refused);
        }
    }

    private void registerMeters(PoolTimes pool, MeterRegistry registry) {
        Tags ofPool = tags.and(Key.POOL.is(pool.name()));
        NanoTime userNs = () -> refreshed(pool).userTimeNs();
        ThreadClockMeter.POOL_CPU_TIME.times(
                registry, ofPool, userNs, () -> refreshed(pool).systemTimeNs());
        if (accumulator.hasRunDelays()) {
            ThreadClockMeter.POOL_RUN_DELAY.time(
                    registry, ofPool, () -> refreshed(pool).runDelayNs());
            ThreadClockMeter.POOL_NOT_RUNNING.time(
                    registry, ofPool, () -> refreshed(pool).notRunningNs());
        }
        ThreadClockMeter.POOL_THREADS.level(
                registry, ofPool, () -> refreshed(pool).threads());
    }

    private void remove(PoolTimes pool, MeterRegistry registry) {
        Tags ofPool = tags.and(Key.POOL.is(pool.name()));
        registry.removeByPreFilterId(ThreadClockMeter.POOL_CPU_TIME.id(ofPool.and(Key.MODE.is("user"))));
        registry.removeByPreFilterId(ThreadClockMeter.POOL_CPU_TIME.id(ofPool.and(Key.MODE.is("system"))));
        registry.removeByPreFilterId(ThreadClockMeter.POOL_RUN_DELAY.id(ofPool));
        registry.removeByPreFilterId(ThreadClockMeter.POOL_NOT_RUNNING.id(ofPool));
        registry.removeByPreFilterId(ThreadClockMeter.POOL_THREADS.id(ofPool));
    }

    /** A virtual thread gets the present state, because it may not be able to wait for the others. */
    private PoolTimes refreshed(PoolTimes pool) {
        if (ThreadClock.canRead()) {
            snapshotUnlessYoungerThan(FRESH_NS);
        }
        return pool;
    }

    /** Builds {@link ThreadPoolMetrics}. Not thread-safe. */
    public static final class Builder {
        private final List<PoolNaming.Rule> rules = new ArrayList<>();
        private Tags tags = Tags.empty();
        private int maxPools = DEFAULT_MAX_POOLS;
        private Duration interval = DEFAULT_INTERVAL;
        private Supplier<List<ThreadSample>> snapshots =
                () -> ThreadsSnapshot.take().threads();
        private LongSupplier nanoTime = System::nanoTime;

        /** Null: the kernel's. */
        private ToLongFunction<ThreadSample> runDelays;

        /** Null: the library's. */
        private Supplier<List<VirtualPoolTimes>> virtual;

        private Runnable also = () -> {};

        private Builder() {}

        /**
         * Puts threads whose whole name matches into a pool. The first rule that matches counts.
         *
         * @param threadNames a regular expression as in {@link Pattern}
         * @param pool its name
         * @return this
         */
        public Builder pool(String threadNames, String pool) {
            rules.add(new PoolNaming.Rule(Pattern.compile(threadNames), pool));
            return this;
        }

        /**
         * Sets the greatest number of pools, {@code other} included, and of pools of virtual threads. Each pool has
         * five series, or four.
         *
         * @param count ≥ 1
         * @return this
         */
        public Builder maxPools(int count) {
            if (count < 1) {
                throw new IllegalArgumentException(
                        "Limiting the pools to " + count + ": the pool of all others needs a place. Give 1 or more.");
            }
            maxPools = count;
            return this;
        }

        /**
         * Sets the time between snapshots that no registry asks for.
         *
         * @param length ≥ 1 ms
         * @return this
         */
        public Builder interval(Duration length) {
            if (length.toMillis() < 1) {
                throw new IllegalArgumentException(
                        "Taking a snapshot each " + length + ": that is all the time. Give 1 ms or more.");
            }
            interval = length;
            return this;
        }

        /**
         * Adds tags to all meters.
         *
         * @param common in addition to their own
         * @return this
         */
        public Builder tags(Iterable<Tag> common) {
            tags = Tags.of(common);
            return this;
        }

        /** Has further work done in the same thread. */
        Builder alsoEachInterval(Runnable work) {
            also = work;
            return this;
        }

        /** For tests: the source of threads. */
        Builder snapshots(Supplier<List<ThreadSample>> source) {
            snapshots = source;
            return this;
        }

        /** For tests: the run-queue delay of a thread, by its tid. */
        Builder runDelays(ToLongFunction<ThreadSample> source) {
            runDelays = source;
            return this;
        }

        /** For tests: the source of pools of virtual threads. */
        Builder virtualPools(Supplier<List<VirtualPoolTimes>> source) {
            virtual = source;
            return this;
        }

        private Supplier<List<VirtualPoolTimes>> virtualPools() {
            int most = Math.max(2, maxPools);
            return virtual == null ? () -> VirtualThreads.pools(most) : virtual;
        }

        /** For tests: the clock. */
        Builder nanoTime(LongSupplier clock) {
            nanoTime = clock;
            return this;
        }

        private PoolAccumulator accumulator(Consumer<PoolTimes> onNewPool) {
            PoolNaming naming = new PoolNaming(rules);
            return runDelays == null
                    ? new PoolAccumulator(naming::poolOf, maxPools, onNewPool)
                    : new PoolAccumulator(naming::poolOf, maxPools, onNewPool, runDelays);
        }

        /** {@return the meters, bound to no registry yet} */
        public ThreadPoolMetrics build() {
            return new ThreadPoolMetrics(this);
        }
    }
}
