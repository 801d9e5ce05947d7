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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadPoolMetricsTest extends MeteredTest {
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration OFTEN = Duration.ofMillis(1);

    /** Micrometer's words. */
    private static final String TWICE = "already registered";

    /** Longer than a snapshot is fresh. */
    private static final long LATER_NS = 1_000_000_000;

    private final AtomicLong nowNs = new AtomicLong();
    private volatile List<ThreadSample> snapshot = List.of();
    private ThreadPoolMetrics metrics;

    @AfterEach
    void close() {
        if (metrics != null) {
            metrics.close();
        }
    }

    private static ThreadSample thread(long id, String name, long userNs, long systemNs) {
        return ThreadSample.ofOtherProcess(id, name, userNs + systemNs, userNs);
    }

    /** Takes the test's snapshots, by the test's clock, when a meter is asked. */
    private ThreadPoolMetrics.Builder fake() {
        return ofThisJvm().snapshots(() -> snapshot);
    }

    private ThreadPoolMetrics.Builder ofThisJvm() {
        return ThreadPoolMetrics.builder().interval(NEVER).nanoTime(nowNs::get);
    }

    private void bind(ThreadPoolMetrics.Builder builder) {
        metrics = builder.build();
        metrics.bindTo(registry);
    }

    private double seconds(String pool, String mode) {
        return sum("threadclock.pool.cpu.time", "pool", pool, "mode", mode);
    }

    /** Of the modes that there are. */
    private double cpuSeconds(String pool) {
        return sum("threadclock.pool.cpu.time", "pool", pool);
    }

    private double threads(String pool) {
        return sum("threadclock.pool.threads", "pool", pool);
    }

    @Test
    void tellSecondsByPoolAndMode() {
        snapshot = List.of(thread(1, "web-1", 1_500_000_000, 250_000_000), thread(2, "web-2", 0, 0));
        bind(fake());
        assertThat(seconds("web-*", "user")).isCloseTo(1.5, within(1e-9));
        assertThat(seconds("web-*", "system")).isCloseTo(0.25, within(1e-9));
        assertThat(threads("web-*")).isEqualTo(2);
    }

    @Test
    void tellForHowLongThreadsHadNoCpuOrDidNotWantOne() {
        AtomicLong delayNs = new AtomicLong();
        snapshot = List.of(thread(11, "web-1", 1, 0), thread(12, "web-2", 1, 0));
        bind(fake().runDelays(thread -> thread.threadId() * delayNs.get()));
        nowNs.set(30_000_000_000L);
        delayNs.set(1_000_000_000L);
        snapshot = List.of(thread(11, "web-1", 2, 0), thread(12, "web-2", 2, 0));
        assertThat(sum("threadclock.pool.run.delay", "pool", "web-*")).isCloseTo(11 + 12, within(1e-6));
        assertThat(sum("threadclock.pool.not.running", "pool", "web-*")).isCloseTo((30 - 11) + (30 - 12), within(1e-6));
    }

    @Test
    void tellPoolsOfVirtualThreadsAsTheyCome() {
        List<VirtualPoolTimes> pools = new CopyOnWriteArrayList<>();
        bind(fake().virtualPools(() -> pools));
        assertThat(meters("threadclock.virtual.cpu.time")).isEmpty();
        pools.add(Samples.pool(VirtualPoolTimes.REST, 3_000_000_000L, 1_000_000_000, 0, 0));
        metrics.lookAtAll();
        assertThat(virtualSeconds(VirtualPoolTimes.REST, "system")).isCloseTo(1, within(1e-9));
        pools.add(Samples.pool("orders-*", 500_000_000, 250_000_000, 7, 2));
        nowNs.set(LATER_NS);
        assertThat(virtualSeconds(VirtualPoolTimes.REST, "user")).isCloseTo(3, within(1e-9));
        assertThat(virtualSeconds("orders-*", "user")).isCloseTo(0.5, within(1e-9));
        assertThat(virtualSeconds("orders-*", "system")).isCloseTo(0.25, within(1e-9));
        assertThat(meters("threadclock.virtual.mounts"))
                .as("meters of mounts; the carriers' rest has none")
                .hasSize(1);
        assertThat(sum("threadclock.virtual.mounts")).isEqualTo(7);
        assertThat(sum("threadclock.virtual.threads")).isEqualTo(2);
    }

    private double virtualSeconds(String pool, String mode) {
        return sum("threadclock.virtual.cpu.time", "pool", pool, "mode", mode);
    }

    @Test
    void doNotTellRunDelaysThatAreUnknown() {
        snapshot = List.of(thread(1, "web-1", 1, 0));
        bind(fake().runDelays(thread -> -1));
        assertThat(meters("threadclock.pool.run.delay")).isEmpty();
        assertThat(meters("threadclock.pool.not.running")).isEmpty();
    }

    @Test
    void registerAPoolWhenItsFirstThreadIsFound() {
        CountDownLatch found = new CountDownLatch(1);
        registry.config().onMeterAdded(meter -> {
            if ("late-*".equals(meter.getId().getTag("pool"))) {
                found.countDown();
            }
        });
        bind(fake().interval(OFTEN));
        snapshot = List.of(thread(1, "late-1", 1, 0));
        await(found);
    }

    /** The registry must not depend on the daemon thread's snapshots, which finds the same. */
    @Test
    void haveRegisteredAllPoolsWhenTheyAreBound() {
        snapshot = List.of(thread(1, "web-1", 1, 0));
        for (int i = 0; i < 1_000; i++) {
            CountDownLatch looked = new CountDownLatch(1);
            MeterRegistry fresh = new SimpleMeterRegistry();
            fresh.config().onMeterAdded(meter -> {
                if (Thread.currentThread().isDaemon()) {
                    await(looked);
                }
            });
            try (ThreadPoolMetrics each = fake().interval(OFTEN).build()) {
                each.bindTo(fresh);
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
        List<ThreadSample> threads = new ArrayList<>();
        try (Logged logged = new Logged(MeterRegistry.class)) {
            metrics = ThreadPoolMetrics.builder()
                    .interval(OFTEN)
                    .snapshots(() -> {
                        int id = threads.size() + 1;
                        threads.add(thread(id, Character.toString('A' + id), 1, 0));
                        return new ArrayList<>(threads);
                    })
                    .build();
            List<MeterRegistry> bound = Stream.<MeterRegistry>generate(SimpleMeterRegistry::new)
                    .limit(100)
                    .peek(metrics::bindTo)
                    .toList();
            assertThat(logged.lines(TWICE)).as("what Micrometer logs").isEmpty();
            assertThat(bound)
                    .as("registries that have pools")
                    .allMatch(each -> each.find("threadclock.pool.threads").gauge() != null);
            Gauge.builder("planted", () -> 1).register(registry);
            Gauge.builder("planted", () -> 1).register(registry);
            assertThat(logged.lines(TWICE))
                    .as("what Micrometer logs of one that is")
                    .hasSize(1);
        }
    }

    @Test
    void makeRoomForANewPoolWhereOneHasLongBeenEmpty() {
        try (Logged logged = new Logged(MeterRegistry.class)) {
            snapshot = List.of(thread(1, "old-1", 5_000_000_000L, 0));
            bind(fake().maxPools(2).runDelays(thread -> 0));
            for (ThreadSample later : List.of(thread(2, "new-1", 1, 0), thread(3, "old-2", 2_000_000_000, 0))) {
                snapshot = List.of(later);
                look(); // empties the present pool
                look(); // the new pool takes its place
                look(); // the pool gives its place up
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
            assertThat(logged.lines(TWICE)).isEmpty();
        }
    }

    private void look() {
        nowNs.addAndGet(TimeUnit.MINUTES.toNanos(5));
        registry.find("threadclock.pool.threads").gauges().forEach(Gauge::value);
    }

    /** A second snapshot in the middle of one would count its threads twice. */
    @Test
    void bearWithWhoReadsAMeterWhenItIsRegistered() {
        snapshot = List.of(thread(1, "a-1", 1, 0));
        registry.config().onMeterAdded(meter -> {
            if (meter.getId().getTag("pool") != null) {
                snapshot = List.of(thread(3, "c-1", 1, 0));
                meter.measure().forEach(Measurement::getValue);
            }
        });
        bind(fake());
        nowNs.set(LATER_NS);
        assertThat(threads("a-*")).as("threads of a pool that has ended").isZero();
        assertThat(seconds("a-*", "user")).isCloseTo(1e-9, within(1e-12));
        assertThat(seconds("c-*", "user")).isCloseTo(1e-9, within(1e-12));
    }

    @Test
    void giveEachMeterTheCommonTags() {
        snapshot = List.of(thread(1, "web-1", 1, 0));
        bind(fake().tags(Tags.of("node", "7")));
        assertThat(registry.getMeters()).isNotEmpty().allMatch(meter -> "7"
                .equals(meter.getId().getTag("node")));
    }

    @Test
    void countWhatAThreadBurnsOnceAndForEver() {
        CountDownLatch burnt = new CountDownLatch(1);
        CountDownLatch counted = new CountDownLatch(1);
        Runnable work = () -> {
            Burning.cpu(50_000_000);
            burnt.countDown();
            await(counted);
        };
        Thread burner = started(new Thread(work, "burner-1"));
        await(burnt);
        long beforeNs = cpuTimeNs(burner);
        bind(ofThisJvm());
        double all = cpuSeconds("burner-*");
        long afterNs = cpuTimeNs(burner);
        counted.countDown();
        join(burner);
        assertThat(Math.round(all * 1e9)).as("CPU time of the pool, ns").isBetween(beforeNs, afterNs);
        nowNs.set(LATER_NS);
        assertThat(threads("burner-*")).as("threads of a pool that has ended").isZero();
        assertThat(cpuSeconds("burner-*")).as("when its thread has ended").isGreaterThanOrEqualTo(all);
    }

    /** As others read it. */
    private static long cpuTimeNs(Thread thread) {
        return ThreadsSnapshot.take().thread(thread.getId()).orElseThrow().cpuTimeNs();
    }

    /** Threads start and end, the metronome beats, and two registries ask at once. */
    @Test
    void neverFallWhileThreadsComeAndGo() {
        assumeThat(ThreadClock.isSupported()).as("a clock that tells 0.1 ms").isTrue();
        AtomicBoolean isOver = new AtomicBoolean();
        Queue<String> falls = new ConcurrentLinkedQueue<>();
        bind(ThreadPoolMetrics.builder().interval(OFTEN));
        List<Thread> readers =
                Stream.of(1, 2).map(i -> started(reader(isOver, falls))).toList();
        for (int i = 0; i < 300 || i < 100_000 && !isCharged("mayfly-*"); i++) {
            join(started(new Thread(() -> Burning.cpu(100_000), "mayfly-" + i)));
        }
        isOver.set(true);
        readers.forEach(MeteredTest::join);
        assertThat(falls).as("readings below the one before").isEmpty();
        assertThat(seconds("mayfly-*", "user")).as("s of those that were seen").isPositive();
    }

    /** A thread may live between two snapshots. */
    private boolean isCharged(String pool) {
        return !meters("threadclock.pool.cpu.time", "pool", pool, "mode", "user")
                        .isEmpty()
                && seconds(pool, "user") > 0;
    }

    private Thread reader(AtomicBoolean isOver, Queue<String> falls) {
        Map<Meter.Id, Double> last = new HashMap<>();
        return new Thread(() -> {
            while (!isOver.get()) {
                for (FunctionCounter counter :
                        registry.find("threadclock.pool.cpu.time").functionCounters()) {
                    double now = counter.count();
                    Double before = last.put(counter.getId(), now);
                    if (before != null && now < before) {
                        falls.add(counter.getId() + ": " + before + " s, then " + now + " s");
                    }
                }
            }
        });
    }

    @Test
    void answerAVirtualThreadWithWhatThereIs() throws Exception {
        snapshot = List.of(thread(1, "web-1", 1_000_000_000, 0));
        Queue<Double> answers = new ConcurrentLinkedQueue<>();
        bind(fake());
        inVirtualThread(() -> answers.add(seconds("web-*", "user")));
        assertThat(answers).as("s, as a virtual thread reads them").containsExactly(1.0);
    }

    @Test
    void tellWhatTheySpendThemselves() {
        bind(ofThisJvm());
        assertThat(sum("threadclock.measuring.cpu.time", "work", "snapshots"))
                .as("seconds spent on snapshots")
                .isPositive()
                .isLessThan(10);
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

    @Test
    void followTheFirstRuleThatMatchesTheWholeName() {
        PoolNaming naming = new PoolNaming(List.of(
                new PoolNaming.Rule(Pattern.compile("RMI .*"), "rmi"),
                new PoolNaming.Rule(Pattern.compile("RMI TCP.*"), "never"),
                new PoolNaming.Rule(Pattern.compile("grpc"), "grpc")));
        assertThat(naming.poolOf("RMI TCP Connection(4)-127.0.0.1")).isEqualTo("rmi");
        assertThat(naming.poolOf("grpc-worker-1")).isEqualTo("grpc-worker-*");
    }
}
