// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Bills of the queries of a QuestDB server whose client is this JVM. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class QueryBillsIT {
    private static final int QUERIES = Printed.IS_BRIEF ? 8 : 32;
    private static final int ROWS = Printed.IS_BRIEF ? 300_000 : 6_000_000;
    private static final int TIMEOUT_S = 300;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    /** Eight threads answer queries. The others sleep soon if there is nothing to do. */
    private static final List<String> SETTINGS = List.of(
            "http.bind.to=127.0.0.1:0",
            "http.worker.count=8",
            "http.worker.nap.threshold=20",
            "http.worker.sleep.threshold=30",
            "shared.worker.nap.threshold=20",
            "shared.worker.sleep.threshold=30",
            "http.min.enabled=false",
            "pg.enabled=false",
            "line.tcp.enabled=false",
            "telemetry.enabled=false",
            "cairo.mat.view.enabled=false",
            "config.reload.enabled=false");

    /** What QuestDB calls the threads that answer queries. */
    private static final String ANSWERING = "http_";

    private static final String CREATE = "create table trades as (select rnd_symbol('BTC', 'ETH', 'SOL') symbol, "
            + "rnd_double() price from long_sequence(" + ROWS + "))";
    private static final String QUERY =
            "select symbol, avg(sin(price)), stddev(cos(price) * price) from trades where price * price > 0.";
    private static final String ENDLESS = "select count() from trades a cross join trades b where a.price > b.price";

    private final BlockingQueue<String> printed = new LinkedBlockingQueue<>();
    private final Queue<Bill> bills = new ConcurrentLinkedQueue<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private ChildJvm server;
    private String port;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Path conf = Files.createDirectories(directory.resolve("conf"));
        Files.write(conf.resolve("server.conf"), SETTINGS);
        server = ChildJvm.on(Jdks.running())
                .jvmOptions(options(Jdks.running()))
                .classPath(List.of(Printed.JAR))
                .mainClass(QueryBills.class)
                .arguments("-d", directory.toString())
                .onStdout(this::take)
                .start();
        port = await("answers queries at port ");
        answer(CREATE).join();
        await(CREATE + ": ");
    }

    private void take(String line) {
        if (Bill.PATTERN.matcher(line).matches()) {
            bills.add(new Bill(line));
        }
        printed.add(line);
    }

    /** QuestDB 9.3.4 breaks heaps with small headers. Threads that end are not found afterwards. */
    private static List<String> options(Jdk jdk) {
        List<String> options =
                new ArrayList<>(List.of("-XX:-UseDynamicNumberOfCompilerThreads", "-XX:-UseDynamicNumberOfGCThreads"));
        options.addAll(Printed.options(jdk));
        if (jdk.feature() >= Printed.WARNS) {
            options.add("-XX:-UseCompactObjectHeaders");
        }
        return options;
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void haveParts() throws Exception {
        assertThat(billsOfAll()).allSatisfy(bill -> {
            assertThat(bill.ns("user") + bill.ns("system"))
                    .as("user and system time of %s", bill)
                    .isEqualTo(bill.ns("CPU"));
            assertThat(bill.ns("CPU")).as("CPU time of %s", bill).isPositive().isLessThanOrEqualTo(bill.ns("wall"));
        });
    }

    @Test
    void divideTheWallTime() throws Exception {
        assertThat(billsOfAll()).allSatisfy(bill -> {
            assumeThat(bill.text()).as("waits that this kernel tells").doesNotContain("run delay unknown");
            assertThat(bill.ns("CPU") + bill.ns("run delay") + bill.ns("not running"))
                    .as("the sum of %s", bill)
                    .isEqualTo(bill.ns("wall"));
        });
    }

    @Test
    void endAtTheLimit() throws Exception {
        assertThat(answer(ENDLESS).get(TIMEOUT_S, TimeUnit.SECONDS)).contains("cancelled by user");
        assertThat(new Bill(await(ENDLESS + ": ")).ns("CPU")).isGreaterThanOrEqualTo(LIMIT_NS);
    }

    /** This is the last one, because the server compares at its end. */
    @Test
    @Order(Integer.MAX_VALUE)
    @Tag("timing")
    void sumUpToTheCpuTimeOfTheProcessWithThatOfThreadsThatAnswerNoQueries() throws Exception {
        billsOfAll();
        long othersNs = othersCpuNs();
        server.endInput();
        String line = await("all bills ");
        List<Long> compared = Printed.ns(line);
        assertThat(compared).as("all bills %s", line).hasSize(3);
        long billedNs = bills.stream().mapToLong(bill -> bill.ns("CPU")).sum();
        long processNs = compared.get(2);
        assertThat(compared.get(0)).as("all bills, in ns").isEqualTo(billedNs);
        assertThat((double) billedNs + othersNs)
                .as("bills, %,d ns, and other threads, %,d ns by the kernel, against the process", billedNs, othersNs)
                .isCloseTo(processNs, withinPercentage(2));
        assertThat((double) billedNs + compared.get(1)).as(line).isCloseTo(processNs, withinPercentage(2));
    }

    /** The line of a query. */
    private record Bill(String text) {
        static final Pattern PATTERN = Pattern.compile(".*: CPU \\d+ ns = user .*");

        long ns(String figure) {
            return Long.parseLong(text.replaceAll(".*\\b" + figure + " (\\d+) ns.*", "$1"));
        }
    }

    private List<Bill> billsOfAll() throws Exception {
        List<CompletableFuture<String>> answers =
                IntStream.range(0, QUERIES).mapToObj(i -> answer(QUERY + i)).toList();
        List<Bill> bills = new ArrayList<>();
        for (CompletableFuture<String> answer : answers) {
            assertThat(answer.get(TIMEOUT_S, TimeUnit.SECONDS)).contains("\"dataset\":");
            bills.add(new Bill(await(QUERY)));
        }
        return bills;
    }

    /** The CPU time of all threads that answer no queries, as the kernel has it. */
    private long othersCpuNs() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(server.pid()), "task"))) {
            return threads.filter(thread -> !read(thread, "comm").startsWith(ANSWERING))
                    .mapToLong(
                            thread -> Long.parseLong(read(thread, "schedstat").split(" ")[0]))
                    .sum();
        }
    }

    private static String read(Path thread, String file) {
        try {
            return Files.readString(thread.resolve(file));
        } catch (IOException ended) {
            return "0 of a thread that has ended";
        }
    }

    /** The rest of the next line that begins so. */
    private String await(String beginning) throws InterruptedException {
        String line;
        do {
            line = printed.poll(TIMEOUT_S, TimeUnit.SECONDS);
            assertThat(line).as("a line that begins with %s", beginning).isNotNull();
        } while (!line.startsWith(beginning));
        return line.substring(beginning.length());
    }

    private CompletableFuture<String> answer(String sql) {
        URI uri = URI.create(
                "http://127.0.0.1:" + port + "/exec?query=" + URLEncoder.encode(sql, StandardCharsets.UTF_8));
        return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .thenApply(answer -> answer.body());
    }
}
