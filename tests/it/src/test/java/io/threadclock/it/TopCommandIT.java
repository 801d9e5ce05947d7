// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.CarrierProbe;
import io.threadclock.it.probe.EchoProbe;
import io.threadclock.it.probe.SeveralSchedulersProbe;
import io.threadclock.it.probe.VirtualPoolsProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code threadclock top -b} on JVMs, with the agent as it is. */
class TopCommandIT {
    private static final Path LIBRARY = Program.LIBRARY.path();
    private static final Duration PATIENCE = WaitingJvm.WATCHDOG;
    private static final int SHORTEST_INTERVAL_MS = 100;
    private static final int LONGEST_INTERVAL_MS = 60_000;

    @OnEachJdk
    void showsAllThreadsAndLeavesTheJvmAsItWas(Jdk jdk) throws IOException {
        try (WaitingJvm jvm = new WaitingJvm(jdk)) {
            JsonNode outside = table(top(jvm, "--json", "--no-attach"));
            assertThat(row(outside, "VM Thread").get("kind").asText()).isEqualTo("vm");
            assertThat(Files.readString(Path.of("/proc", jvm.pid(), "maps")))
                    .as("from outside")
                    .doesNotContain("libthreadclock");
            JsonNode table = tableOfThreadsThatStay(jvm);
            assertThat(row(table, "main").get("kind").asText()).isEqualTo("java");
            assertThat(row(table, "main").get("javaId").asLong())
                    .as("Java id of main")
                    .isPositive();
            assertThat(row(table, "VM Thread").get("kind").asText()).isEqualTo("vm");
            assertThat(row(table, "threadclock").get("kind").asText()).isEqualTo("view");
            assertThat(table.get("process").get("cpuNs").asLong()).isPositive();
            assertThat(table.get("rows")).hasSize(table.get("threads").asInt());
            assertLeftNothing(jvm);
            assertThat(CommandLineTool.refused(LIBRARY, "detach", jvm.pid()))
                    .as("its ThreadMXBean was never touched")
                    .contains("threadclock is not attached to it");
            ChildResult end = jvm.end();
            assertThat(end.exitStatus()).isEqualTo(EchoProbe.STATUS);
            assertThat(end.stdout()).as("what it printed").isEqualTo(EchoProbe.READY + "\n");
        }
    }

    /** The JVM itself may open a file meanwhile. */
    @Tag("long")
    @OnOldestAndNewestJdk
    void saysWhyAJvmCannotShowItsThreads(Jdk jdk) throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(jdk)) {
            CommandLineTool.done(LIBRARY, "attach", jvm.pid());
            // One for the attaching command, and one for the view.
            limitOpenFiles(jvm, 2);
            assertThat(CommandLineTool.refused(LIBRARY, "top", "-b", jvm.pid()))
                    .contains("because it has too many open files (EMFILE)");
        }
    }

    private static void limitOpenFiles(WaitingJvm jvm, int more) throws Exception {
        List<Integer> open;
        try (Stream<Path> files = Files.list(Path.of("/proc", jvm.pid(), "fd"))) {
            open = files.map(file -> Integer.valueOf(file.getFileName().toString()))
                    .toList();
        }
        int limit = 0;
        for (int free = 0; free < more; limit++) {
            free += open.contains(limit) ? 0 : 1;
        }
        assertThat(CCompiler.status(List.of("prlimit", "--pid=" + jvm.pid(), "--nofile=" + limit)))
                .isZero();
    }

    @Tag("long")
    @OnEachJdkWithVirtualThreads
    void marksThreadsThatCarryVirtualOnesBornWhileItLooks(Jdk jdk) throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(jdk, CarrierProbe.class);
                Watching top = new Watching(jvm)) {
            top.awaitTable();
            jvm.send("");
            top.await("a carrier", line -> line.contains("\"kind\":\"carrier\""));
        }
    }

    /** The first table has them: no list of stacks has found a thread mounted. */
    @OnEachJdkWithVirtualThreads
    void marksTheCarriersOfEachScheduler(Jdk jdk) throws IOException {
        try (WaitingJvm jvm = new WaitingJvm(
                jdk,
                SeveralSchedulersProbe.class,
                "-agentpath:" + LIBRARY + "=virtual",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")) {
            JsonNode rows = table(top(jvm, "--json")).get("rows");
            for (String pool : List.of("ForkJoinPool-1-", "ForkJoinPool-2-", "events-1")) {
                assertThat(rows)
                        .filteredOn(row -> row.get("name").asText().startsWith(pool))
                        .extracting(row -> row.get("kind").asText())
                        .as("kinds of %s", pool)
                        .contains("carrier")
                        .containsOnly("carrier");
            }
        }
    }

    /**
     * Conservation: pools and the carriers' rest are the carriers' CPU time, but for what each carrier used before its
     * first thread, which becomes a smaller and smaller part.
     */
    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void showsVirtualThreadsByTheirPoolsHoweverManyNamesThereAre(Jdk jdk) throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(
                        jdk,
                        VirtualPoolsProbe.class,
                        "-agentpath:" + LIBRARY + "=virtual",
                        "-Djdk.virtualThreadScheduler.parallelism=2");
                Watching top = new Watching(jvm)) {
            JsonNode table = top.await(
                    "conservation within 5 %",
                    line -> {
                        JsonNode rows = parsed(line).get("rows");
                        long carriersNs = sumNs(rows, "carrier");
                        return carriersNs > 0 && Math.abs(sumNs(rows, "virtual") - carriersNs) < carriersNs / 20;
                    });
            assertThat(row(table, "ending-*").get("threads").asInt()).isZero();
            assertThat(row(table, "ending-*").get("cpuNs").asLong()).isPositive();
            assertThat(row(table, "parked-*").get("threads").asInt()).isEqualTo(3);
            assertThat(row(table, "mounted").get("threads").asInt()).isEqualTo(1);
            assertThat(row(table, "mounted").get("cpuNs").asLong())
                    .as("ns of one that has not left its carrier yet")
                    .isPositive();
            assertThat(row(table, "(other names)").get("threads").asInt()).isZero();
            assertThat(row(table, "(carriers' rest)").get("cpuNs").asLong()).isPositive();
            assertThat(table.get("rows").findValuesAsText("kind").stream().filter("virtual"::equals))
                    .as("rows of 100,005 names")
                    .hasSizeLessThan(257);
            assertThat(top(jvm, 1_000, "--stacks=1").stdout())
                    .containsPattern(
                            "# stack tid=\\d+ %cpu=\\d+\\.\\d+ ForkJoinPool-1-worker-\\d\n    \"ForkJoinPool.*\n.*\n");
        }
    }

    private static long sumNs(JsonNode rows, String kind) {
        long sumNs = 0;
        for (JsonNode row : rows) {
            sumNs += row.get("kind").asText().equals(kind) ? row.get("cpuNs").asLong() : 0;
        }
        return sumNs;
    }

    private static JsonNode parsed(String line) {
        try {
            return new ObjectMapper().readTree(line);
        } catch (IOException wrong) {
            throw new AssertionError("no JSON: " + line, wrong);
        }
    }

    @Tag("long")
    @Test
    void theDeathOfTheJvmIsOneLine() throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME);
                Watching top = new Watching(jvm)) {
            top.awaitTable();
            jvm.signal("KILL");
            assertThat(CommandLineTool.refusal(top.end())).contains("it has ended");
            assertThat(socketOf(jvm)).as("the socket of one that was killed").doesNotExist();
        }
    }

    @Test
    @Tag("server")
    void whoeverDetachesTheAgentEndsIt() throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME);
                Watching top = new Watching(jvm)) {
            top.awaitTable();
            CommandLineTool.done(LIBRARY, "detach", jvm.pid());
            assertThat(CommandLineTool.refusal(top.end())).contains("it was detached");
            assertLeftNothing(jvm);
        }
    }

    @Test
    @Tag("server")
    void twoMayLookAtOneJvm() throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            try (Watching top = new Watching(jvm)) {
                top.awaitTable();
                assertThat(table(top(jvm, "--json")).get("rows")).isNotEmpty();
                top.awaitTable();
            }
            assertLeftNothing(jvm);
        }
    }

    @Test
    @Tag("server")
    void twoMayLookThoughACleanerRemovesTheSocket() throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            try (Watching top = new Watching(jvm)) {
                top.awaitTable();
                Files.delete(socketOf(jvm));
                assertThat(table(top(jvm, "--json")).get("rows")).isNotEmpty();
                Files.delete(socketOf(jvm));
                Files.createFile(socketOf(jvm));
                assertThat(CommandLineTool.refusal(top(jvm)))
                        .contains("something else has its socket's name in /tmp (EADDRINUSE)");
                Files.delete(socketOf(jvm));
                top.awaitTable();
            }
            assertLeftNothing(jvm);
        }
    }

    @Test
    void theAgentThatIsAttachedStaysAttachedWithItsLastOptions() throws IOException {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            for (String options : List.of("--strict", "--source=clock")) {
                CommandLineTool.done(LIBRARY, "attach", options, jvm.pid());
            }
            assertThat(table(top(jvm, "--json")).get("source").asText()).isEqualTo("clock");
            CommandLineTool.done(LIBRARY, "detach", jvm.pid());
        }
    }

    private static ChildResult top(WaitingJvm jvm, String... options) {
        return top(jvm, SHORTEST_INTERVAL_MS, options);
    }

    private static ChildResult top(WaitingJvm jvm, int intervalMs, String... options) {
        String[] words = CommandLineTool.words("-b", jvm, options);
        return CommandLineTool.run(
                LIBRARY,
                Stream.concat(Stream.of("top", "-n1", "-d" + intervalMs + "ms"), Stream.of(words))
                        .toArray(String[]::new));
    }

    private static JsonNode table(ChildResult result) throws IOException {
        CommandLineTool.assertDone(result);
        return new ObjectMapper().readTree(result.stdout());
    }

    /**
     * The table of a look during which the JVM neither started nor ended threads of its own, as it may at any time, and
     * at which Java's names have come. They are asked for beside the looks, and come later on a busy machine.
     */
    private static JsonNode tableOfThreadsThatStay(WaitingJvm jvm) throws IOException {
        List<String> before;
        JsonNode table;
        int intervalMs = SHORTEST_INTERVAL_MS;
        do {
            before = threadsOf(jvm);
            table = table(top(jvm, intervalMs, "--json"));
            assertLeftNothing(jvm);
            intervalMs *= 3;
        } while (!threadsOf(jvm).equals(before) || !hasRow(table, "main") && intervalMs < LONGEST_INTERVAL_MS);
        return table;
    }

    private static List<String> threadsOf(WaitingJvm jvm) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc", jvm.pid(), "task"))) {
            return tasks.map(Path::toString).sorted().toList();
        }
    }

    private static boolean hasRow(JsonNode table, String name) {
        return table.get("rows").findValuesAsText("name").contains(name);
    }

    private static JsonNode row(JsonNode table, String name) {
        for (JsonNode row : table.get("rows")) {
            if (row.get("name").asText().equals(name)) {
                return row;
            }
        }
        throw new AssertionError("no row of " + name + " in " + table.toPrettyString());
    }

    private static Path socketOf(WaitingJvm jvm) {
        return Path.of("/tmp/.threadclock_" + jvm.pid());
    }

    /** The agent's thread ends when it sees that its last client has gone, which takes a moment. */
    private static void assertLeftNothing(WaitingJvm jvm) throws IOException {
        long beginNs = System.nanoTime();
        while (hasViewThread(jvm) && System.nanoTime() - beginNs < PATIENCE.toNanos()) {
            Thread.onSpinWait();
        }
        assertThat(hasViewThread(jvm)).as("a thread of ours in the JVM").isFalse();
        assertThat(socketOf(jvm)).doesNotExist();
    }

    private static boolean hasViewThread(WaitingJvm jvm) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc", jvm.pid(), "task"))) {
            return tasks.anyMatch(task -> nameOf(task).equals("threadclock\n"));
        }
    }

    private static String nameOf(Path task) {
        try {
            return Files.readString(task.resolve("comm"));
        } catch (IOException ended) {
            return "";
        }
    }

    /** {@code top} that goes on. */
    private static final class Watching implements AutoCloseable {
        private final ChildJvm top;
        private final BlockingQueue<String> tables = new LinkedBlockingQueue<>();

        Watching(WaitingJvm jvm) {
            top = CommandLineTool.command(LIBRARY, "top", "-b", "-d", "0.1", "--json", jvm.pid())
                    .onStdout(tables::add)
                    .start();
        }

        void awaitTable() throws InterruptedException {
            tables.clear();
            await("a table", line -> true);
        }

        JsonNode await(String what, Predicate<String> isIt) throws InterruptedException {
            long endNs = System.nanoTime() + PATIENCE.toNanos();
            String line;
            do {
                line = tables.poll(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
                assertThat(line).as("%s within %s", what, PATIENCE).isNotNull();
            } while (!isIt.test(line));
            return parsed(line);
        }

        ChildResult end() {
            return top.await();
        }

        @Override
        public void close() {
            top.close();
        }
    }
}
