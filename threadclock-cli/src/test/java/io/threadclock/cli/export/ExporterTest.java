// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.threads.MadeUp;
import io.threadclock.cli.threads.ProcessEnded;
import io.threadclock.cli.threads.ProcessSilent;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExporterTest {
    private static final String POOL_CPU_TIME = ExportedMeter.POOL_CPU_TIME.meter;

    @TempDir
    Path folder;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private FakeProc proc;

    @BeforeEach
    void begin() {
        proc = new FakeProc(folder);
    }

    private Exporter exporter(Function<Target, ThreadReader> readers) {
        return new Exporter(readers, Duration.ofMillis(1), registry, said::add);
    }

    /** Each look is numbered, from 1. */
    private static ThreadReader reader(IntFunction<Snapshot> looks) {
        AtomicInteger number = new AtomicInteger();
        return MadeUp.reader(() -> looks.apply(number.incrementAndGet()));
    }

    private static Snapshot snapshot(int look) {
        return MadeUp.snapshot(look, 1, MadeUp.thread(1, 5, "http-1", look * MadeUp.MS, 0));
    }

    /** The JVM ends. */
    private ProcessEnded end() {
        proc.file("77/stat").toFile().delete();
        return new ProcessEnded("it has ended");
    }

    @Test
    void aJvmHasMetersUntilItEnds() throws InterruptedException {
        List<Double> seen = new ArrayList<>();
        ThreadReader reader = reader(look -> {
            if (look == 3) {
                seen.add(registry.get(POOL_CPU_TIME)
                        .tags("jvm", "app.jar", "pool", "http-*", "mode", "user")
                        .functionCounter()
                        .count());
                throw end();
            }
            return snapshot(look);
        });
        exporter(target -> reader).run(List.of(proc.target()));
        assertThat(seen).containsExactly(0.002);
        assertThat(registry.getMeters()).isEmpty();
        assertThat(said)
                .containsExactly("app.jar: read by the agent (process 77)", "app.jar: it has ended (process 77)");
    }

    @Test
    void waitsThatTheKernelDoesNotTellAreMissingAndNotZero() throws InterruptedException {
        List<String> waits = new ArrayList<>();
        ThreadReader reader = reader(look -> {
            if (look == 2) {
                registry.find("threadclock.pool.run.delay")
                        .meters()
                        .forEach(meter -> waits.add(meter.getId().getTag("pool")));
                throw end();
            }
            return MadeUp.snapshot(
                    look,
                    2,
                    MadeUp.waited(MadeUp.MS, 3, MadeUp.thread(1, 5, "known-1", MadeUp.MS, 0)),
                    MadeUp.thread(2, 5, "unknown-1", MadeUp.MS, 0));
        });
        exporter(target -> reader).run(List.of(proc.target()));
        assertThat(waits).containsExactly("known-*");
    }

    @Test
    void aJvmThatIsSilentForAWhileKeepsItsMeters() throws InterruptedException {
        List<Integer> meters = new ArrayList<>();
        ThreadReader reader = reader(look -> {
            meters.add(registry.getMeters().size());
            if (look == 2 || look == 3) {
                throw new ProcessSilent("it is stopped");
            } else if (look == 5) {
                throw end();
            }
            return snapshot(look);
        });
        exporter(target -> reader).run(List.of(proc.target()));
        assertThat(meters.subList(1, 5)).doesNotContain(0);
        assertThat(said).contains("app.jar: it is stopped (process 77)").hasSize(3);
    }

    /** The fault is ours, or the process's. */
    @Test
    void whateverOneDoesTheExporterGoesOnAndSaysItOnce() throws InterruptedException {
        Exporter exporter = exporter(target -> reader(look -> {
            throw new StackOverflowError();
        }));
        exporter.runAll(
                () -> {
                    if (said.size() == 3) {
                        exporter.stop();
                    }
                    return List.of(77, 78);
                },
                pid -> {
                    if (pid == 78) {
                        throw new IllegalStateException("odd");
                    }
                    return proc.target();
                });
        assertThat(said)
                .containsExactlyInAnyOrder(
                        "app.jar: read by the agent (process 77)",
                        "app.jar: looking at process 77: this command has failed at it: java.lang.StackOverflowError."
                                + " Report that. Other processes are not affected. (process 77)",
                        "looking at process 78: this command has failed at it: java.lang.IllegalStateException: odd."
                                + " Report that. Other processes are not affected.");
    }

    @Test
    void nothingIsHeldOfJvmsThatHaveEndedOrWereRefused() throws InterruptedException, IOException {
        for (int i = 0; i < 3; i++) {
            exporter(target -> reader(look -> {
                        throw end();
                    }))
                    .run(List.of(new FakeProc(folder).target()));
            FakeProc thread = new FakeProc(folder).statusWith("Tgid:\t77", "Tgid:\t70");
            assertThatThrownBy(thread::target).isInstanceOf(Refusal.class);
        }
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(descriptors.map(ExporterTest::leadsTo))
                    .as("what is open")
                    .noneMatch(file -> file.startsWith(folder.toString()));
        }
    }

    private static String leadsTo(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }

    @Test
    void onesThatComeAreReadAndARefusalIsToldOnce() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        Exporter exporter = exporter(target -> {
            throw new Refusal("reading it", "it may not be read", "Be root.");
        });
        exporter.runAll(
                () -> {
                    if (asked.incrementAndGet() == 4) {
                        exporter.stop();
                    }
                    return asked.get() == 1 ? List.of() : List.of(77, 78);
                },
                pid -> {
                    if (pid == 78) {
                        throw new Refusal("looking at process 78", "it is another user's", "Be root.");
                    }
                    return proc.target();
                });
        assertThat(said)
                .containsExactlyInAnyOrder(
                        "app.jar: reading it: it may not be read. Be root. (process 77)",
                        "looking at process 78: it is another user's. Be root.");
        assertThat(Files.exists(proc.file("77"))).isTrue();
    }
}
