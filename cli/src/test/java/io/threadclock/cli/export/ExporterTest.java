// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.cli.export.ExportedMetric.Figure;
import io.threadclock.cli.process.ClosedOutput;
import io.threadclock.cli.process.OverFakeProc;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.threads.MadeUp;
import io.threadclock.cli.threads.ProcessEnded;
import io.threadclock.cli.threads.ProcessSilent;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class ExporterTest extends OverFakeProc {
    private static final Function<Target, ThreadReader> WELL = target -> reader(ExporterTest::snapshot);

    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private final List<String> warned = Collections.synchronizedList(new ArrayList<>());
    /** No process has a greater one, this one neither, which would be refused. */
    private static final int PID_MOST = 1 << 22;

    private final Map<Integer, Long> found = new ConcurrentSkipListMap<>(Map.of(77, 4711L));

    private Exporter exporter(Function<Target, ThreadReader> readers) {
        return exporter(readers, readers, said::add);
    }

    private Exporter exporter(
            Function<Target, ThreadReader> best, Function<Target, ThreadReader> fromOutside, Consumer<String> out) {
        Exporter.Log log = new Exporter.Log(out, warned::add);
        return new Exporter(new Exporter.Readers(best, fromOutside), Duration.ofMillis(1), log);
    }

    /** Has the exporter look for JVMs until it is so. */
    private void runUntil(Exporter exporter, BooleanSupplier isSo) throws InterruptedException {
        runUntil(exporter, this::open, isSo);
    }

    private void runUntil(Exporter exporter, IntFunction<Target> targets, BooleanSupplier isSo)
            throws InterruptedException {
        exporter.runAll(
                () -> {
                    if (isSo.getAsBoolean()) {
                        exporter.stop();
                    }
                    return new TreeMap<>(found);
                },
                targets,
                target -> true);
    }

    private Target open(int pid) {
        return fake.target();
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
        fake.file("77/stat").toFile().delete();
        return new ProcessEnded("it has ended");
    }

    private static List<Double> values(Exporter exporter, ExportedMetric metric) {
        return exporter.look().stream()
                .flatMap(jvm -> jvm.figures().stream())
                .filter(figure -> figure.metric() == metric)
                .map(Figure::value)
                .toList();
    }

    private static boolean isRead(Exporter exporter) {
        return values(exporter, ExportedMetric.JVM_READ).contains(1.0);
    }

    @Test
    void aJvmHasFiguresUntilItEnds() throws InterruptedException {
        Exporter exporter = exporter(target -> reader(look -> {
            if (found.isEmpty()) {
                throw end();
            }
            return snapshot(look);
        }));
        runUntil(exporter, () -> {
            if (values(exporter, ExportedMetric.POOL_THREADS).contains(1.0)) {
                found.clear();
            }
            return found.isEmpty() && exporter.look().isEmpty();
        });
        assertThat(said)
                .containsExactly("app.jar: read by the agent (process 77)", "app.jar: it has ended (process 77)");
        assertThat(warned).isEmpty();
    }

    @Test
    void labelsAreTheProgramThePidAndWhatTheControlGroupTellsInShortLinesOfVisibleCharacters() {
        String uid = "01234567-89ab-cdef-0123-456789abcdef";
        fake.write(
                "77/cgroup",
                "0::/system.slice/" + "u".repeat(200) + ".service/pod" + uid + "/" + "c".repeat(64) + "\n");
        fake.write("77/cmdline", "java\0-jar\0a\u001b\n" + "x".repeat(500) + "\0");
        assertThat(JvmIdentity.of(open(77)).labels())
                .containsOnly(
                        Map.entry("jvm", "a??" + "x".repeat(97)),
                        Map.entry("pid", "77"),
                        Map.entry("container", "c".repeat(12)),
                        Map.entry("pod", uid),
                        Map.entry("unit", "u".repeat(100)));
    }

    @Test
    void aJvmThatIsSilentKeepsItsFiguresAndIsNotRead() throws InterruptedException {
        Exporter exporter = exporter(target -> reader(look -> {
            if (look > 1) {
                throw new ProcessSilent("it is stopped");
            }
            return snapshot(look);
        }));
        runUntil(exporter, () -> said.contains("app.jar: it is stopped (process 77)") && !isRead(exporter));
        assertThat(values(exporter, ExportedMetric.POOL_THREADS)).containsExactly(1.0);
        exporter.close();
        assertThat(said).hasSize(2);
    }

    /** The fault is ours, or the process's. */
    @Test
    void whateverOneDoesTheExporterGoesOnAndSaysItOnce() throws InterruptedException {
        found.put(78, 1L);
        Exporter exporter = exporter(target -> reader(look -> {
            throw new StackOverflowError();
        }));
        AtomicInteger rounds = new AtomicInteger();
        runUntil(
                exporter,
                pid -> {
                    if (pid == 78) {
                        throw new IllegalStateException("odd");
                    }
                    return fake.target();
                },
                () -> rounds.incrementAndGet() > 3 && warned.size() >= 2);
        assertThat(values(exporter, ExportedMetric.JVM_READ)).containsExactly(0.0);
        exporter.close();
        assertThat(warned)
                .containsExactlyInAnyOrder(
                        "app.jar: looking at process 77: this command has failed at it: java.lang.StackOverflowError."
                                + " Report that. Other processes are not affected. (process 77)",
                        "looking at process 78: this command has failed at it: java.lang.IllegalStateException: odd."
                                + " Report that. Other processes are not affected.");
    }

    @Test
    void oneThatMustNotBeAttachedToIsReadFromOutsideAndThatIsSaidOnce() throws InterruptedException {
        Function<Target, ThreadReader> refusing = target -> {
            throw new Refusal("attaching to it", "it is disabled", "Enable it.");
        };
        Exporter exporter = exporter(refusing, WELL, said::add);
        runUntil(exporter, () -> isRead(exporter));
        exporter.close();
        assertThat(warned)
                .containsExactly(
                        "app.jar: attaching to it: it is disabled. Enable it. It is read from outside. (process 77)");
    }

    @Test
    void nothingIsHeldOfOneThatIsNotWantedOrRefused() throws InterruptedException {
        Exporter exporter = exporter(WELL);
        AtomicInteger opened = new AtomicInteger();
        AtomicInteger rounds = new AtomicInteger();
        exporter.runAll(
                () -> {
                    if (rounds.incrementAndGet() == 4) {
                        exporter.stop();
                    }
                    return found;
                },
                pid -> {
                    opened.incrementAndGet();
                    return fake.target();
                },
                target -> false);
        assertThat(opened).hasValue(1);
        assertThat(exporter.look()).isEmpty();
        assertThatThrownBy(fake.statusWith("Tgid:\t77", "Tgid:\t70")::target).isInstanceOf(Refusal.class);
        assertNothingIsOpen();
    }

    @Test
    void aJvmWithThePidOfAnotherOneBeginsWhenNothingIsLeftOfThat() throws InterruptedException, IOException {
        Exporter exporter = exporter(WELL);
        List<Long> starts = new ArrayList<>();
        String stat = Files.readString(fake.file("77/stat"));
        runUntil(exporter, () -> {
            Collection<ExportedJvm> jvms = exporter.look();
            assertThat(jvms).hasSizeLessThan(2);
            jvms.forEach(jvm -> starts.add(jvm.target().startTicks()));
            if (!jvms.isEmpty()) {
                fake.write("77/stat", stat.replace("4711", "5000"));
                found.put(77, 5000L);
            }
            return starts.contains(5000L);
        });
        exporter.close();
        assertThat(starts.get(0)).isEqualTo(4711);
    }

    @Test
    void nothingIsLeftOf100JvmsThatComeAndGo() throws InterruptedException {
        found.clear();
        Exporter exporter = exporter(target -> reader(look -> {
            if (!found.containsKey(target.pid())) {
                fake.file(target.pid() + "/stat").toFile().delete();
                throw new ProcessEnded("it has ended");
            }
            return snapshot(look);
        }));
        AtomicInteger come = new AtomicInteger();
        runUntil(exporter, fake::another, () -> {
            Collection<ExportedJvm> jvms = exporter.look();
            if (!jvms.isEmpty() && jvms.size() == found.size()) {
                found.clear();
            } else if (jvms.isEmpty() && found.isEmpty() && come.get() < 100) {
                for (int i = 0; i < 20; i++) {
                    found.put(PID_MOST + come.incrementAndGet(), 4711L);
                }
            }
            return jvms.isEmpty() && found.isEmpty();
        });
        assertThat(said).hasSize(2 * 100);
        assertNothingIsOpen();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("jvm-"));
    }

    private void assertNothingIsOpen() {
        assertThat(new File("/proc/self/fd").listFiles())
                .extracting(File::getCanonicalPath)
                .noneMatch(file -> file.startsWith(mount.toString()));
    }

    private static long in(Duration time) {
        return System.nanoTime() + time.toNanos();
    }

    @Test
    void aLookIsMadeWhenAskedUnlessThereWasOneJustNowAndOnceForSeveralThatAskAndNobodyWaitsForEver()
            throws InterruptedException {
        AtomicInteger looks = new AtomicInteger();
        Semaphore mayLook = new Semaphore(1);
        Function<Target, ThreadReader> slow = target -> reader(look -> {
            mayLook.acquireUninterruptibly();
            looks.set(look);
            return snapshot(look);
        });
        Exporter.Log log = new Exporter.Log(said::add, warned::add);
        ExportedJvm jvm = new ExportedJvm(open(77), new Exporter.Readers(slow, slow), Duration.ofHours(1), log);
        jvm.start();
        while (!jvm.figures().contains(ExportedMetric.JVM_READ.figure(1))) {
            Thread.onSpinWait(); // until it has been looked at
        }
        jvm.askIfOlder(in(Duration.ofHours(-1)));
        jvm.awaitLook(in(Duration.ofHours(1)));
        assertThat(looks).as("it was looked at just now").hasValue(1);
        jvm.askIfOlder(in(Duration.ofHours(1)));
        jvm.awaitLook(in(Duration.ofMillis(1)));
        jvm.askIfOlder(in(Duration.ofHours(1)));
        assertThat(looks).as("it does not answer").hasValue(1);
        mayLook.release();
        jvm.awaitLook(in(Duration.ofHours(1)));
        assertThat(looks).as("two have asked").hasValue(2);
        jvm.stop();
        jvm.awaitEnd(Duration.ofHours(1));
        assertThat(jvm.hasEnded()).isTrue();
    }

    /** The JVM's thread notices it. */
    @Test
    void endsWhenNobodyReadsWhatItTells() {
        Exporter exporter = exporter(WELL, WELL, line -> {
            throw new ClosedOutput(null);
        });
        assertThatThrownBy(() -> runUntil(exporter, () -> false)).isInstanceOf(ClosedOutput.class);
        exporter.close();
    }
}
