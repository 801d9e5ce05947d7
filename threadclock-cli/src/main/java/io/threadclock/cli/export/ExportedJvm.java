// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.threadclock.CpuQuota;
import io.threadclock.cli.process.CpuList;
import io.threadclock.cli.process.KernelFiles;
import io.threadclock.cli.process.OneOfMany;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.threads.ProcessEnded;
import io.threadclock.cli.threads.ProcessSilent;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadReader;
import io.threadclock.cli.threads.VirtualPool;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * One JVM: takes a snapshot of its threads each interval, and has meters as long as there can be snapshots. It has a
 * thread of its own, so that one that does not answer keeps no other waiting.
 */
final class ExportedJvm {
    /** One that cannot be read may be readable later: when it has started up, or somebody has changed what stood in the way. */
    private static final Duration RETRY = Duration.ofMinutes(1);

    /** It takes as long as a look at some hundred threads. */
    private static final long QUOTA_NS = TimeUnit.SECONDS.toNanos(15);

    private final Target target;
    private final String label;
    private final Function<Target, ThreadReader> readers;
    private final Duration interval;
    private final MeterRegistry registry;
    private final Consumer<String> say;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private String told = "";

    /**
     * @param label its name in the meters
     * @param say is told what a user wants to know, in one line
     */
    ExportedJvm(
            Target target,
            String label,
            Function<Target, ThreadReader> readers,
            Duration interval,
            MeterRegistry registry,
            Consumer<String> say) {
        this.target = target;
        this.label = label;
        this.readers = readers;
        this.interval = interval;
        this.registry = registry;
        this.say = say;
        thread = new Thread(this::run, "jvm-" + target.pid());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    String label() {
        return label;
    }

    boolean hasEnded() {
        return !thread.isAlive();
    }

    /** Nothing is left in the JVM when {@link #hasEnded}. */
    void stop() {
        stop.countDown();
    }

    void awaitEnd(Duration atMost) throws InterruptedException {
        thread.join(atMost.toMillis());
    }

    private void run() {
        try {
            boolean isOver = false;
            while (!isOver) {
                isOver = attempt();
            }
        } finally {
            target.close();
        }
    }

    /** True if this is to stop, or the JVM has ended. */
    private boolean attempt() {
        try {
            return OneOfMany.about(target.pid(), this::read);
        } catch (Refusal refused) {
            tellOnce(label + ": " + refused.getMessage());
            return await(RETRY);
        }
    }

    /** True if this is to stop, or the JVM has ended. */
    private boolean read() {
        if (target.hasEnded()) {
            return true;
        }
        try (ThreadReader reader = readers.apply(target)) {
            tellOnce(label + ": " + (reader.coarseness().isEmpty() ? "read by the agent" : reader.coarseness()));
            readUntilEnd(reader);
            return true;
        } catch (ProcessEnded | ProcessSilent gone) { // or the agent was detached
            tellOnce(label + ": " + gone.getMessage());
            return await(interval);
        }
    }

    /** Returns when this is to stop. */
    private void readUntilEnd(ThreadReader reader) {
        try (Meters meters = new Meters(reader.snapshot())) {
            while (!await(interval)) {
                try {
                    meters.take(reader.snapshot());
                } catch (ProcessSilent silent) {
                    tellOnce(label + ": " + silent.getMessage());
                }
            }
        }
    }

    /** True if this is to stop. */
    private boolean await(Duration time) {
        try {
            return stop.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException toldToEnd) {
            return true;
        }
    }

    private void tellOnce(String line) {
        if (!line.equals(told)) {
            told = line;
            say.accept(line + " (process " + target.pid() + ")");
        }
    }

    /** The meters, and what they tell. */
    private final class Meters implements JvmTotals.Listener, AutoCloseable {
        private final JvmMeters ofJvm = new JvmMeters(registry, label);
        private final JvmMeters ofQuota = new JvmMeters(registry, label);
        private final JvmTotals totals = new JvmTotals(this);

        private long quotaReadNs;
        private boolean isLimited;
        private volatile int allowed;

        /** The control group that limits it most, or did last. */
        private volatile CpuQuota.Group group;

        Meters(Snapshot first) {
            totals.take(first);
            quotaReadNs = first.takenNs();
            ofJvm.seconds(ExportedMeter.PROCESS_CPU_TIME, JvmMeters.USER, () -> totals.last()
                    .process()
                    .userNs());
            ofJvm.seconds(ExportedMeter.PROCESS_CPU_TIME, JvmMeters.SYSTEM, () -> totals.last()
                    .process()
                    .systemNs());
            for (ThreadKind kind : JvmTotals.KINDS) {
                ofJvm.seconds(ExportedMeter.JVM_CPU_TIME, Tags.of("kind", kind.toString()), totals.of(kind)::cpuNs);
            }
            ofJvm.seconds(ExportedMeter.MEASURING_CPU_TIME, Tags.of("work", "snapshots"), () -> totals.last()
                    .ownCpuNs());
            ofJvm.level(ExportedMeter.PROCESS_ALLOWED, Tags.empty(), () -> allowed);
            readConfines();
        }

        void take(Snapshot snapshot) {
            totals.take(snapshot);
            if (snapshot.takenNs() - quotaReadNs >= QUOTA_NS) {
                quotaReadNs = snapshot.takenNs();
                readConfines();
            }
        }

        /** They may be set, or lifted, at any time. */
        private void readConfines() {
            allowed = CpuList.allowed(target.files());
            Optional<CpuQuota.Group> tightest = target.files()
                    .quota(KernelFiles.SYSTEM)
                    .tightest()
                    .filter(limit -> limit.periods() != CpuQuota.UNKNOWN);
            group = tightest.orElse(group);
            if (tightest.isPresent() && !isLimited) {
                ofQuota.level(ExportedMeter.CGROUP_QUOTA, Tags.empty(), () -> group.cpus());
                ofQuota.count(ExportedMeter.CGROUP_PERIODS, Tags.empty(), () -> group.periods());
                ofQuota.count(ExportedMeter.CGROUP_THROTTLED_PERIODS, Tags.empty(), () -> group.throttledPeriods());
                ofQuota.seconds(ExportedMeter.CGROUP_THROTTLED_TIME, Tags.empty(), () -> group.throttledTimeNs());
            } else if (tightest.isEmpty()) {
                ofQuota.close();
            }
            isLimited = tightest.isPresent();
        }

        @Override
        public void onPool(String name, PoolTotals pool, boolean hasWaits) {
            ofJvm.addPool(name, pool, hasWaits);
        }

        @Override
        public void onPoolGone(String name) {
            ofJvm.removePool(name);
        }

        @Override
        public void onVirtualPool(String name) {
            Tags its = Tags.of("pool", name);
            ofJvm.seconds(ExportedMeter.VIRTUAL_CPU_TIME, its.and(JvmMeters.USER), last(name, VirtualPool::userNs));
            ofJvm.seconds(ExportedMeter.VIRTUAL_CPU_TIME, its.and(JvmMeters.SYSTEM), last(name, VirtualPool::systemNs));
            if (!totals.virtualPool(name).isRest()) {
                ofJvm.count(ExportedMeter.VIRTUAL_MOUNTS, its, last(name, VirtualPool::mounts));
                ofJvm.level(ExportedMeter.VIRTUAL_THREADS, its, last(name, VirtualPool::threads)::getAsLong);
            }
        }

        private LongSupplier last(String name, ToLongFunction<VirtualPool> figure) {
            return () -> figure.applyAsLong(totals.virtualPool(name));
        }

        @Override
        public void close() {
            ofJvm.close();
            ofQuota.close();
        }
    }
}
