// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.recorder.Console;
import io.threadclock.recorder.Gap;
import io.threadclock.recorder.JvmName;
import io.threadclock.recorder.RetentionLimits;
import io.threadclock.recorder.Sample;
import io.threadclock.recorder.SampleSink;
import io.threadclock.recorder.Sender;
import io.threadclock.recorder.ServerAddress;
import io.threadclock.recorder.Store;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs each query that help and docs show, on two hours of two JVMs. Threads of both have the same key. Each name is
 * recorded in each hour, first as the kernel has it.
 */
@Timeout(600)
class SqlExamplesTest {
    private static final JvmName WEB = new JvmName("host-1", "web.jar", 4711, 100);
    private static final JvmName BATCH = new JvmName("host-2", "batch.jar", 4711, 100);
    private static final List<Sample.PoolTimes> POOLS = List.of(
            new Sample.PoolTimes(Sample.PoolTimes.REST, "(carriers' rest)", 0, 0, 500_000_000, 250_000_000),
            new Sample.PoolTimes(2, "handler-*", 3, 5, 1_000_000_000, 500_000_000));
    /** The last two are in the last hour, whatever the time is. */
    private static final int[] MINUTES_AGO = {100, 95, 20, 10};

    private static final String[] ALL = {"GC Thread#*,8,4", "http-nio-8080-exec-*,4,2", "order-processor-*,4,2"};
    private static final String[] LAST_HOUR = {"GC Thread#*,4,2", "http-nio-8080-exec-*,2,1", "order-processor-*,2,1"};
    private static final Pattern IN_HELP = Pattern.compile("(?s)--sql='(select .*?)'");
    private static final Pattern IN_DOCS = Pattern.compile("(?m)^    select (?:.*\\n)(?:    \\S.*\\n)*");

    /** One client for all, because the server lets two programs export at a time. */
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @Test
    void whatHelpShowsIsRight() {
        record();
        List<String> examples = found(IN_HELP, String.join("\n", footer()), 1);
        assertThat(examples).singleElement().satisfies(sql -> assertThat(reported(sql))
                .containsExactlyInAnyOrderElementsOf(withoutLastColumn(ALL)));
    }

    @Tag("long")
    @Test
    void whatThePageOfRecordShowsIsRight() throws IOException {
        record();
        List<String> examples = found(IN_DOCS, Files.readString(DocumentedScreen.HOME.resolve("docs/record.md")), 0);
        assertThat(examples).hasSize(3);
        assertThat(reported(examples.get(0))).containsExactlyInAnyOrder(ALL);
        assertThat(reported(examples.get(1)))
                .containsExactlyInAnyOrder("GC Thread#*,2,12", "http-nio-8080-exec-*,1,6", "order-processor-*,1,6");
        assertThat(reported(examples.get(2))).containsExactly("handler-*,40,8,4", "(carriers' rest),0,4,2");
    }

    @Test
    @Tag("server")
    void whatThePageOfFleetsShowsIsRight() throws Exception {
        List<String> examples = found(IN_DOCS, Files.readString(DocumentedScreen.HOME.resolve("docs/fleet.md")), 0);
        assertThat(examples).hasSize(2);
        try (Console server = Console.scratch()) {
            Sender sender = Sender.to(ServerAddress.parse(
                    "http::addr=127.0.0.1:" + server.port() + ";auto_flush_interval=1;request_timeout=120000;",
                    Map.of()));
            put(sender);
            sender.close();
            assertThat(sender.loss()).isEmpty();
            for (String table : List.of("samples", "gaps", "threads")) {
                server.awaitTable("threadclock_" + table);
            }
            String answer = ask(server, examples.get(0));
            assertThat(rows(answer)).as(answer).containsExactlyInAnyOrder(LAST_HOUR);
            assertThat(rows(ask(server, examples.get(1)))).containsExactly(BATCH.key() + ",silent,7");
        }
    }

    private static String[] footer() {
        return ThreadClockCommand.commandLine()
                .getSubcommands()
                .get("report")
                .getCommandSpec()
                .usageMessage()
                .footer();
    }

    private static List<String> found(Pattern pattern, String text, int group) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(group).strip());
        }
        return found;
    }

    /** The rows without the line of headings, and with 4 for 4.0. */
    private static List<String> rows(String csv) {
        return csv.lines()
                .skip(1)
                .map(line -> line.replace("\"", "").replaceAll("\\.0(?=,|$)", ""))
                .toList();
    }

    private static List<String> withoutLastColumn(String[] rows) {
        return List.of(rows).stream()
                .map(row -> row.replaceFirst(",[^,]*$", ""))
                .toList();
    }

    /** The output of {@code report --sql}. */
    private List<String> reported(String sql) {
        CommandHere report = new CommandHere();
        assertThat(report.run("report", "--dir=" + directory, "--sql=" + sql))
                .as(report.err())
                .isZero();
        return rows(report.out());
    }

    private static String ask(Console server, String sql) throws Exception {
        URI uri = URI.create(
                "http://127.0.0.1:" + server.port() + "/exp?query=" + URLEncoder.encode(sql, StandardCharsets.UTF_8));
        return CLIENT.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private void record() {
        try (Store store = Store.open(directory, RetentionLimits.parse("1g"))) {
            put(store);
        }
    }

    private static void put(SampleSink sink) {
        long nowUs = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        for (int i = 0; i < MINUTES_AGO.length; i++) {
            long us = nowUs - TimeUnit.MINUTES.toMicros(MINUTES_AGO[i]);
            sink.put(sample(WEB, us, i, "http-nio-8080-exec-"));
            sink.put(sample(BATCH, us, i, "order-processor-"));
        }
        sink.put(new Gap(
                BATCH,
                nowUs - TimeUnit.MINUTES.toMicros(20),
                nowUs - TimeUnit.MINUTES.toMicros(10),
                Gap.Reason.SILENT,
                7));
    }

    /** Each thread has worked for 1.5 s, a third of it in the kernel. */
    private static Sample sample(JvmName jvm, long us, int number, String pool) {
        List<Sample.ThreadTimes> times = new ArrayList<>();
        List<Sample.ThreadName> names = new ArrayList<>();
        for (int thread = 1; thread <= 2; thread++) {
            times.add(new Sample.ThreadTimes(thread, 60_000_000, 1_000_000_000, 500_000_000, 250_000_000));
            String prefix = thread == 1 ? pool : "GC Thread#";
            switch (number) {
                case 0 ->
                    names.add(new Sample.ThreadName(
                            thread, thread, thread, prefix.substring(0, 9), prefix.substring(0, 9), "java"));
                case 1, 2 ->
                    names.add(new Sample.ThreadName(thread, thread, thread, prefix + thread, prefix + "*", "java"));
                default -> {}
            }
        }
        return new Sample(
                jvm,
                us,
                60_000_000,
                2,
                new Sample.Whole(60_000_000, 2_000_000_000, 1_000_000_000),
                0,
                times,
                names,
                POOLS);
    }
}
