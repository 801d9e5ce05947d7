// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmThreadsTest {
    @TempDir
    private Path tasks;

    private final Set<Integer> visible = new HashSet<>();
    private int timesAsked;
    private JvmThreads threads;

    @BeforeEach
    void begin() {
        threads = new JvmThreads(tasks.toFile(), () -> {
            timesAsked++;
            return (tid, name) -> visible.contains(tid);
        });
    }

    private void thread(int tid, String name, long cpuNs) throws IOException {
        Path folder = Files.createDirectories(tasks.resolve("" + tid));
        Files.writeString(folder.resolve("comm"), name + "\n");
        Files.writeString(folder.resolve("schedstat"), cpuNs + " 7 3\n");
    }

    private void ended(int tid) throws IOException {
        Files.delete(tasks.resolve(tid + "/comm"));
        Files.delete(tasks.resolve(tid + "/schedstat"));
        Files.delete(tasks.resolve("" + tid));
    }

    private long looked(JvmThreadKind kind) {
        threads.look();
        return threads.totalNs(kind);
    }

    @Test
    void addsUpTheThreadsOfAKind() throws IOException {
        thread(1, "GC Thread#0", 100);
        thread(2, "GC Thread#1", 20);
        thread(3, "C2 Comp..hread0", 3);
        assertThat(looked(JvmThreadKind.GC)).isEqualTo(120);
        assertThat(looked(JvmThreadKind.JIT)).isEqualTo(3);
        assertThat(looked(JvmThreadKind.VM)).isZero();
    }

    @Test
    void keepsTheCostOfAThreadThatHasEnded() throws IOException {
        thread(1, "C1 CompilerThre", 100);
        looked(JvmThreadKind.JIT);
        ended(1);
        thread(2, "C1 CompilerThre", 30);
        assertThat(looked(JvmThreadKind.JIT)).isEqualTo(130);
    }

    @Test
    void countsAThreadAnewThatHasTheTidOfOneThatHasEnded() throws IOException {
        thread(1, "C1 CompilerThre", 100);
        looked(JvmThreadKind.JIT);
        thread(1, "GC Thread#5", 30);
        threads.look();
        assertThat(looked(JvmThreadKind.GC)).isEqualTo(30);
        assertThat(threads.totalNs(JvmThreadKind.JIT)).isEqualTo(100);
    }

    @Test
    void doesNotCountAJavaThreadOfTheProgramWithSuchAName() throws IOException {
        thread(1, "GC Thread of me", 100);
        visible.add(1);
        assertThat(looked(JvmThreadKind.GC)).isZero();
        assertThat(looked(JvmThreadKind.GC)).isZero();
        assertThat(timesAsked).as("times that the Java threads were listed").isEqualTo(1);
    }

    @Test
    void knowsANameThatTheKernelHasCutAfter15Bytes() throws IOException {
        ThreadSample sample = new ThreadSample(1, 0, "JFR évènements", Thread.State.WAITING, 0, 0, 0);
        threads = new JvmThreads(tasks.toFile(), () -> JvmCpuTimes.among(List.of(sample)));
        thread(1, "JFR évènement", 100);
        assertThat(looked(JvmThreadKind.VM)).isZero();
    }

    @Test
    void countsAThreadOnceThatCouldNotBeReadForAWhile() throws IOException {
        thread(1, "GC Thread#0", 100);
        looked(JvmThreadKind.GC);
        Path times = tasks.resolve("1/schedstat");
        Path away = tasks.resolve("1/away");
        Files.move(times, away);
        assertThat(looked(JvmThreadKind.GC)).as("without its times").isEqualTo(100);
        assertThat(looked(JvmThreadKind.GC)).as("without its times").isEqualTo(100);
        Files.move(away, times);
        assertThat(looked(JvmThreadKind.GC)).isEqualTo(100);
    }

    @Test
    void countsThreadsOnceThatCouldNotBeListedForAWhile() throws IOException {
        thread(1, "GC Thread#0", 100);
        looked(JvmThreadKind.GC);
        Path away = tasks.resolveSibling("away");
        Files.move(tasks, away);
        assertThat(looked(JvmThreadKind.GC)).as("without a list").isEqualTo(100);
        Files.move(away, tasks);
        assertThat(looked(JvmThreadKind.GC)).isEqualTo(100);
    }

    @Test
    void findsAThreadWhoseNameCouldNotBeReadForAWhile() throws IOException {
        thread(1, "GC Thread#0", 100);
        Files.delete(tasks.resolve("1/comm"));
        looked(JvmThreadKind.GC);
        looked(JvmThreadKind.GC);
        thread(1, "GC Thread#0", 100);
        assertThat(looked(JvmThreadKind.GC)).isEqualTo(100);
    }

    @Test
    void findsAThreadThatHasItsNameLater() throws IOException {
        thread(1, "java", 100);
        looked(JvmThreadKind.VM);
        thread(1, "VM Thread", 110);
        assertThat(looked(JvmThreadKind.VM)).isEqualTo(110);
    }

    @Test
    void hasNothingWhereThereAreNoSuchFiles() throws IOException {
        Files.createDirectories(tasks.resolve("9"));
        assertThat(looked(JvmThreadKind.GC)).isZero();
    }
}
