// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.PoolAccumulator;
import io.threadclock.PoolName;
import io.threadclock.Samples;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.VirtualPoolTimes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ThreadPoolMetricsTest {
    private static final Duration NEVER = Duration.ofDays(1);
    private static final int PATIENCE_S = 120;

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private volatile List<ThreadSample> snapshot = List.of();

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.canRead()).as(ThreadClock.explanation()).isTrue();
    }

    private double seconds(String pool, String mode) {
        return registry.get("threadclock.pool.cpu.time")
                .tags("pool", pool, "mode", mode)
                .functionCounter()
                .count();
    }

    private double threads(String pool) {
        return registry.get("threadclock.pool.threads")
                .tag("pool", pool)
                .gauge()
                .value();
    }

    @Test
    void tellSecondsByPoolAndMode() {
        snapshot = Samples.of("1:web-1 1500000000+250000000 2:web-2 0+0");
        try (ThreadPoolMetrics metrics = ofSnapshots().build()) {
            metrics.bindTo(registry);
            assertThat(seconds("web-*", "user")).isCloseTo(1.5, within(1e-9));
            assertThat(seconds("web-*", "system")).isCloseTo(0.25, within(1e-9));
            assertThat(threads("web-*")).isEqualTo(2);
        }
    }

    @Test
    void tellForHowLongThreadsHadNoCpuOrDidNotWantOne() {
        AtomicLong nowNs = new AtomicLong();
        AtomicLong delayNs = new AtomicLong();
        snapshot = Samples.of("1@11:web-1 1+0 2@12:web-2 1+0");
        try (ThreadPoolMetrics metrics = ofSnapshots()
                .runDelays(thread -> thread.tid() * delayNs.get())
                .nanoTime(nowNs::get)
                .build()) {
            metrics.bindTo(registry);
            nowNs.set(30_000_000_000L);
            delayNs.set(1_000_000_000L);
            snapshot = Samples.of("1@11:web-1 2+0 2@12:web-2 2+0");
            assertThat(waited("run.delay")).isCloseTo(11 + 12, within(1e-6));
            assertThat(waited("not.running")).isCloseTo((30 - 11) + (30 - 12), within(1e-6));
        }
    }

    @Test
    void tellPoolsOfVirtualThreadsAsTheyCome() {
        AtomicLong nowNs = new AtomicLong();
        List<VirtualPoolTimes> pools = new CopyOnWriteArrayList<>();
        try (ThreadPoolMetrics metrics =
                ofSnapshots().virtualPools(() -> pools).nanoTime(nowNs::get).build()) {
            metrics.bindTo(registry);
            assertThat(registry.find("threadclock.virtual.cpu.time").meters()).isEmpty();
            pools.add(Samples.pool(VirtualPoolTimes.REST, 3_000_000_000L, 1_000_000_000, 0, 0));
            metrics.lookAtAll();
            assertThat(virtualSeconds(VirtualPoolTimes.REST, "system")).isCloseTo(1, within(1e-9));
            pools.add(Samples.pool("orders-*", 500_000_000, 250_000_000, 7, 2));
            nowNs.set(1_000_000_000);
            assertThat(virtualSeconds(VirtualPoolTimes.REST, "user")).isCloseTo(3, within(1e-9));
            assertThat(virtualSeconds("orders-*", "user")).isCloseTo(0.5, within(1e-9));
            assertThat(virtualSeconds("orders-*", "system")).isCloseTo(0.25, within(1e-9));
            assertThat(registry.get("threadclock.virtual.mounts").functionCounters())
                    .as("meters of mounts; the carriers' rest has none")
                    .hasSize(1)
                    .allSatisfy(counter -> assertThat(counter.count()).isEqualTo(7));
            assertThat(registry.get("threadclock.virtual.threads").gauge().value())
                    .isEqualTo(2);
        }
    }

    private double virtualSeconds(String pool, String mode) {
        return registry.get("threadclock.virtual.cpu.time")
                .tags("pool", pool, "mode", mode)
                .functionCounter()
                .count();
    }

    private double waited(String meter) {
        return registry.get("threadclock.pool." + meter)
                .tag("pool", "web-*")
                .functionCounter()
                .count();
    }

    @Test
    void doNotTellRunDelaysThatAreUnknown() {
        snapshot = Samples.of("1@11:web-1 1+0");
        try (ThreadPoolMetrics metrics = ofSnapshots().runDelays(thread -> -1).build()) {
            metrics.bindTo(registry);
            assertThat(registry.find("threadclock.pool.run.delay").functionCounters())
                    .isEmpty();
            assertThat(registry.find("threadclock.pool.not.running").functionCounters())
                    .isEmpty();
        }
    }

    @Test
    void registerAPoolWhenItsFirstThreadIsFound() throws InterruptedException {
        BlockingQueue<String> found = new LinkedBlockingQueue<>();
        registry.config()
                .onMeterAdded(meter -> found.add(String.valueOf(meter.getId().getTag("pool"))));
        try (ThreadPoolMetrics metrics =
                ofSnapshots().interval(Duration.ofMillis(1)).build()) {
            metrics.bindTo(registry);
            snapshot = Samples.of("1:late-1 1+0");
            String pool;
            do {
                pool = found.poll(PATIENCE_S, TimeUnit.SECONDS);
            } while (pool != null && !pool.equals("late-*"));
            assertThat(pool)
                    .as("pool of a meter registered within " + PATIENCE_S + " s")
                    .isEqualTo("late-*");
        }
    }

    /** The registry must not depend on the daemon thread's snapshots, which finds the same. */
    @Test
    void haveRegisteredAllPoolsWhenTheyAreBound() {
        snapshot = Samples.of("1:web-1 1+0");
        for (int i = 0; i < 1_000; i++) {
            CountDownLatch looked = new CountDownLatch(1);
            MeterRegistry fresh = new SimpleMeterRegistry();
            fresh.config().onMeterAdded(meter -> {
                if (Thread.currentThread().isDaemon()) {
                    awaitUninterrupted(looked);
                }
            });
            try (ThreadPoolMetrics metrics =
                    ofSnapshots().interval(Duration.ofMillis(1)).build()) {
                metrics.bindTo(fresh);
                assertThat(fresh.find("threadclock.pool.threads").gauges())
                        .as("pools when they were bound, time " + i)
                        .hasSize(1);
            } finally {
                looked.countDown();
            }
        }
    }

    /**
     * Micrometer would warn about it. The metronome beats, and pools appear, while registries are bound one after the
     * other.
     */
    @Test
    void registerEachMeterOnce() {
        StringBuilder threads = new StringBuilder();
        AtomicInteger pools = new AtomicInteger();
        try (DoubleRegistrations doubles = new DoubleRegistrations();
                ThreadPoolMetrics metrics = ThreadPoolMetrics.builder()
                        .interval(Duration.ofMillis(1))
                        .snapshots(() -> Samples.of(threads.append(pools.incrementAndGet())
                                .append(':')
                                .append(Character.toString('A' + pools.get()))
                                .append(" 1+0 ")
                                .toString()))
                        .build()) {
            List<MeterRegistry> bound = Stream.generate(SimpleMeterRegistry::new)
                    .limit(100)
                    .peek(metrics::bindTo)
                    .collect(Collectors.toList());
            assertThat(doubles.logged()).as("what Micrometer logs").isEmpty();
            bound.forEach(
                    each -> assertThat(each.find("threadclock.pool.threads").gauges())
                            .as("pools that it has")
                            .isNotEmpty());
            Gauge.builder("planted", () -> 1).register(registry);
            Gauge.builder("planted", () -> 1).register(registry);
            assertThat(doubles.logged())
                    .as("what Micrometer logs of one that is")
                    .hasSize(1);
        }
    }

    @Test
    void makeRoomForANewPoolWhereOneHasLongBeenEmpty() {
        AtomicLong nowNs = new AtomicLong();
        try (DoubleRegistrations doubles = new DoubleRegistrations();
                ThreadPoolMetrics metrics = ofSnapshots()
                        .maxPools(2)
                        .runDelays(thread -> 0)
                        .nanoTime(nowNs::get)
                        .build()) {
            snapshot = Samples.of("1:old-1 5000000000+0");
            metrics.bindTo(registry);
            for (ThreadSample later : Samples.of("2:new-1 1+0 3:old-2 2000000000+0")) {
                snapshot = List.of(later);
                look(nowNs); // empties the present pool
                look(nowNs); // the new pool takes its place
                look(nowNs); // the pool gives its place up
                String pool = PoolName.of(later.name());
                assertThat(threads(pool)).as("threads of %s", pool).isEqualTo(1);
                assertThat(registry.getMeters().stream()
                                .map(meter -> meter.getId().getTag("pool"))
                                .filter(Objects::nonNull)
                                .filter(name -> !name.startsWith("("))) // of virtual threads, if another test has them
                        .as("pools of all meters")
                        .containsOnly(pool, PoolAccumulator.OTHER);
            }
            assertThat(seconds("old-*", "user"))
                    .as("s of a pool that has come again")
                    .isLessThan(5);
            assertThat(doubles.logged()).isEmpty();
        }
    }

    private void look(AtomicLong nowNs) {
        nowNs.addAndGet(TimeUnit.MINUTES.toNanos(5));
        registry.find("threadclock.pool.threads").gauges().forEach(Gauge::value);
    }

    /** A second snapshot in the middle of one would count its threads twice. */
    @Test
    void bearWithWhoReadsAMeterWhenItIsRegistered() {
        snapshot = Samples.of("1:a-1 1+0");
        registry.config().onMeterAdded(meter -> {
            if (meter.getId().getTag("pool") != null) {
                snapshot = Samples.of("3:c-1 1+0");
                meter.measure().forEach(Measurement::getValue);
            }
        });
        try (ThreadPoolMetrics metrics = ofSnapshots().build()) {
            metrics.bindTo(registry);
            awaitNoThreads("a-*");
            awaitPool("c-*");
            assertThat(seconds("a-*", "user")).isCloseTo(1e-9, within(1e-12));
            assertThat(seconds("c-*", "user")).isCloseTo(1e-9, within(1e-12));
        }
    }

    @Test
    void giveEachMeterTheCommonTags() {
        snapshot = Samples.of("1:web-1 1+0");
        try (ThreadPoolMetrics metrics =
                ofSnapshots().tags(Tags.of("node", "7")).build()) {
            metrics.bindTo(registry);
            assertThat(registry.getMeters()).isNotEmpty().allMatch(meter -> "7"
                    .equals(meter.getId().getTag("node")));
        }
    }

    @Test
    void countWhatAThreadBurnsOnceAndForEver() throws InterruptedException {
        CountDownLatch counted = new CountDownLatch(1);
        BlockingQueue<Long> burnt = new LinkedBlockingQueue<>();
        Thread burner = new Thread(
                () -> {
                    while (ThreadClock.cpuTimeNs() < 50_000_000) {
                        Thread.onSpinWait();
                    }
                    burnt.add(Thread.currentThread().getId());
                    awaitUninterrupted(counted);
                },
                "burner-1");
        try (ThreadPoolMetrics metrics =
                ThreadPoolMetrics.builder().interval(NEVER).build()) {
            burner.start();
            long id = burnt.take();
            long beforeNs = cpuTimeNs(id);
            metrics.bindTo(registry);
            double all = seconds("burner-*", "user") + seconds("burner-*", "system");
            long afterNs = cpuTimeNs(id);
            counted.countDown();
            burner.join();
            assertThat(Math.round(all * 1e9)).as("CPU time of the pool, ns").isBetween(beforeNs, afterNs);
            awaitNoThreads("burner-*");
            assertThat(seconds("burner-*", "user") + seconds("burner-*", "system"))
                    .as("when its thread has ended")
                    .isGreaterThanOrEqualTo(all);
        }
    }

    /** As others read it. */
    private static long cpuTimeNs(long threadId) {
        return ThreadsSnapshot.take().thread(threadId).orElseThrow().cpuTimeNs();
    }

    /** A snapshot is not repeated within 100 ms. */
    private void awaitNoThreads(String pool) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (threads(pool) > 0 && System.nanoTime() < endNs) {
            Thread.onSpinWait();
        }
        assertThat(threads(pool)).as("threads of a pool that has ended").isZero();
    }

    /** The thread that has found the pool registers it when the snapshot is over. */
    private void awaitPool(String pool) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!isRegistered(pool) && System.nanoTime() < endNs) {
            Thread.onSpinWait();
        }
        assertThat(isRegistered(pool)).as("pool " + pool + " is registered").isTrue();
    }

    /** A thread may live between two snapshots. */
    private boolean isCharged(String pool) {
        return isRegistered(pool) && seconds(pool, "user") > 0;
    }

    private boolean isRegistered(String pool) {
        return registry.find("threadclock.pool.threads").tag("pool", pool).gauge() != null;
    }

    /** Threads start and end, the metronome beats, and two registries ask at once. */
    @Test
    void neverFallWhileThreadsComeAndGo() throws InterruptedException {
        assumeThat(ThreadClock.isSupported()).as("a clock that tells 0.1 ms").isTrue();
        AtomicBoolean isOver = new AtomicBoolean();
        BlockingQueue<String> falls = new LinkedBlockingQueue<>();
        try (ThreadPoolMetrics metrics =
                ThreadPoolMetrics.builder().interval(Duration.ofMillis(1)).build()) {
            metrics.bindTo(registry);
            Thread[] readers = {reader(isOver, falls), reader(isOver, falls)};
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
            for (int i = 0; i < 300 || !isCharged("mayfly-*") && System.nanoTime() < endNs; i++) {
                Thread mayfly = new Thread(() -> Burning.cpu(100_000), "mayfly-" + i);
                mayfly.start();
                mayfly.join();
            }
            isOver.set(true);
            for (Thread reader : readers) {
                reader.join();
            }
        }
        awaitPool("mayfly-*");
        assertThat(falls).as("readings below the one before").isEmpty();
        assertThat(seconds("mayfly-*", "user")).as("s of those that were seen").isPositive();
    }

    private Thread reader(AtomicBoolean isOver, BlockingQueue<String> falls) {
        Thread reader = new Thread(() -> {
            Map<Meter.Id, Double> last = new HashMap<>();
            while (!isOver.get()) {
                for (FunctionCounter counter :
                        registry.find("threadclock.pool.cpu.time").functionCounters()) {
                    double before = last.getOrDefault(counter.getId(), 0.0);
                    double now = counter.count();
                    last.put(counter.getId(), now);
                    if (now < before) {
                        falls.add(counter.getId() + ": " + before + " s, then " + now + " s");
                    }
                }
            }
        });
        reader.start();
        return reader;
    }

    @Test
    void answerAVirtualThreadWithWhatThereIs() throws Exception {
        assumeThat(Runtime.version().feature()).as("Java with virtual threads").isGreaterThanOrEqualTo(21);
        snapshot = Samples.of("1:web-1 1000000000+0");
        BlockingQueue<Double> answers = new LinkedBlockingQueue<>();
        try (ThreadPoolMetrics metrics = ofSnapshots().build()) {
            metrics.bindTo(registry);
            Runnable reader = () -> answers.add(seconds("web-*", "user"));
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, reader);
            assertThat(answers.poll(PATIENCE_S, TimeUnit.SECONDS))
                    .as("s, as a virtual thread reads them")
                    .isEqualTo(1);
        }
    }

    @Test
    void tellWhatTheySpendThemselves() {
        try (ThreadPoolMetrics metrics =
                ThreadPoolMetrics.builder().interval(NEVER).build()) {
            metrics.bindTo(registry);
            FunctionCounter spent = registry.get("threadclock.measuring.cpu.time")
                    .tag("work", "snapshots")
                    .functionCounter();
            assertThat(spent.count())
                    .as("seconds spent on snapshots")
                    .isPositive()
                    .isLessThan(10);
        }
    }

    @Test
    void refuseToHaveNoPools() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ThreadPoolMetrics.builder().maxPools(0))
                .withMessageContaining("Give 1 or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ThreadPoolMetrics.builder().interval(Duration.ofNanos(1)))
                .withMessageContaining("Give 1 ms or more");
    }

    private ThreadPoolMetrics.Builder ofSnapshots() {
        return ThreadPoolMetrics.builder().interval(NEVER).snapshots(() -> snapshot);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }
}
