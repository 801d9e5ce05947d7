// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.threads.ProcessEnded;
import io.threadclock.cli.threads.ProcessSilent;
import io.threadclock.cli.threads.ProcessSnapshot;
import io.threadclock.cli.threads.SchedStat;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadReader;
import io.threadclock.cli.threads.ThreadSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/**
 * The screen over a fake JVM: a web server with twelve known snapshots, after which nothing changes any more. It is a
 * program of its own, for a terminal. Arguments: a folder for its /proc; {@code ends} if the JVM must then end.
 */
final class ScriptedTop {
    static final int PID = 4711;
    private static final int LOOKS = 12;
    private static final int FRAMES = 30;
    private static final long S = 1_000_000_000;
    private static final Instant BEGAN = Instant.parse("2026-11-21T12:00:00Z");

    private static final class Script implements ThreadReader {
        private final boolean ends;
        private final CountDownLatch never = new CountDownLatch(1);
        private int looks;

        Script(boolean ends) {
            this.ends = ends;
        }

        @Override
        public Snapshot snapshot() {
            if (looks == LOOKS) {
                return end();
            }
            long takenNs = looks++ * S;
            List<ThreadSnapshot> threads = threads(takenNs);
            long cpuNs = threads.stream().mapToLong(ThreadSnapshot::cpuNs).sum();
            long userNs = threads.stream().mapToLong(ThreadSnapshot::userNs).sum();
            ProcessSnapshot process = new ProcessSnapshot(cpuNs, userNs, takenNs);
            return new Snapshot(
                    takenNs,
                    BEGAN.plusNanos(takenNs),
                    process,
                    threads,
                    threads.size(),
                    "rseq",
                    takenNs / 2500,
                    List.of());
        }

        private Snapshot end() {
            if (ends) {
                throw new ProcessEnded("it has ended");
            }
            try {
                never.await();
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
            throw new ProcessSilent("nothing more was written for it");
        }

        /** Workers use more and more; others use a little all the time. */
        private static List<ThreadSnapshot> threads(long takenNs) {
            List<ThreadSnapshot> threads = new ArrayList<>();
            double s = (double) takenNs / S;
            for (int i = 1; i <= 8; i++) {
                threads.add(thread(20 + i, "http-nio-8080-exec-" + i, ThreadKind.JAVA, s * s * i / 300, 0.7, takenNs));
            }
            threads.add(thread(41, "ForkJoinPool-1-worker-1", ThreadKind.CARRIER, 0.30 * s, 0.9, takenNs));
            threads.add(thread(42, "ForkJoinPool-1-worker-2", ThreadKind.CARRIER, 0.20 * s, 0.9, takenNs));
            threads.add(thread(12, "GC Thread#0", ThreadKind.GC, 0.05 * s, 1, takenNs));
            threads.add(thread(13, "GC Thread#1", ThreadKind.GC, 0.04 * s, 1, takenNs));
            threads.add(thread(14, "C2 CompilerThread0", ThreadKind.JIT, 4 + 0.02 * s, 0.95, takenNs));
            threads.add(thread(15, "VM Thread", ThreadKind.VM, 0.5 + 0.01 * s, 0.5, takenNs));
            threads.add(thread(16, "threadclock", ThreadKind.VIEW, 0.0004 * s, 0.5, takenNs));
            threads.add(thread(PID, "java", ThreadKind.NATIVE, 0.1, 0.5, takenNs));
            threads.add(thread(11, "main", ThreadKind.JAVA, 2.5, 0.8, takenNs));
            return threads;
        }

        private static ThreadSnapshot thread(
                int tid, String name, ThreadKind kind, double cpuS, double userShare, long takenNs) {
            long cpuNs = (long) (cpuS * S);
            SchedStat sched = new SchedStat(cpuNs, (long) (cpuNs * userShare / 4), takenNs / S * tid + 1);
            return new ThreadSnapshot(
                    tid, 5 * S, 0, name, kind, cpuNs, (long) (cpuNs * userShare), takenNs, false, sched);
        }

        @Override
        public Map<Integer, List<String>> stacks(Set<Integer> tids) {
            return tids.stream().collect(Collectors.toMap(tid -> tid, Script::stack));
        }

        private static List<String> stack(int tid) {
            List<String> stack = new ArrayList<>();
            stack.add("\"http-nio-8080-exec-" + (tid - 20) + "\" #" + tid + " daemon prio=5 tid=0x1 nid=" + tid
                    + " runnable");
            for (int i = 1; i <= FRAMES; i++) {
                stack.add("\tat shop.Order.frame" + i + "(Order.java:" + i + ")\u009b31m");
            }
            return stack;
        }
    }

    private ScriptedTop() {}

    public static void main(String[] arguments) throws IOException {
        Path proc = Path.of(arguments[0]);
        for (ThreadSnapshot thread : Script.threads(0)) {
            Path task = Files.createDirectories(proc.resolve(PID + "/task/" + thread.tid()));
            String state = thread.name().contains("exec-8") ? "R" : "S";
            Files.writeString(
                    task.resolve("stat"),
                    thread.tid() + " (x) " + state + " 1 2 3 0 -1 64 7 8 9 10 30 10 0 0 20 0 25 0 1 1\n");
        }
        Files.writeString(proc.resolve("pid"), "" + ProcessHandle.current().pid());
        Files.writeString(proc.resolve(PID + "/status"), "Cpus_allowed_list:\t0-2,5\n");
        WatchedProcess subject =
                new WatchedProcess(FakeProc.files(proc.resolve(Integer.toString(PID))), PID, "shop.jar", true);
        Script script = new Script(arguments.length > 1 && arguments[1].equals("ends"));
        TopScreen.run(script, subject, new ThreadTable(Order.CPU, "", true), Duration.ofMillis(100));
    }
}
