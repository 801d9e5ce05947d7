// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.recorder.JvmName;
import io.threadclock.recorder.RetentionLimits;
import io.threadclock.recorder.Sample;
import io.threadclock.recorder.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code threadclock report --serve} on a fake recording. */
@Tag("long")
@Timeout(600)
class ReportCommandIT {
    private static final JvmName JVM = new JvmName("host", "app.jar", 4711, 100);
    private static final long BEGIN_US = 1_767_225_600_000_000L;
    private static final Pattern SERVING =
            Pattern.compile("serving .* at (http://127\\.0\\.0\\.1:(\\d+)/\\p{XDigit}{32})/index\\.html until Ctrl-C");
    /** The state in /proc/net/tcp. */
    private static final String LISTENS = "0A";

    private static final Duration PATIENCE = WaitingJvm.WATCHDOG;

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @Test
    void servesQuestDbsConsoleToThisMachineAloneAndToReadOnly() throws Exception {
        record(3);
        Path scratch = Files.createDirectory(directory.resolve("tmp"));
        serve(scratch, (report, address, port) -> {
            assertThat(listening(report.pid())).containsExactly("127.0.0.1:" + port);
            assertThat(get(address + "/index.html").body()).contains("<title>QuestDB");
            assertThat(ask(address, "select count() from processes").body()).contains("\"dataset\":[[3]]");
            assertThat(ask(address, "truncate table processes").statusCode()).isBetween(400, 499);
            assertThat(send(address + "/write", "POST", "processes pid=1i\n")).isBetween(400, 499);
            assertThat(send(address + "/settings?version=0", "PUT", "{\"instance_name\":\"mine\"}"))
                    .as("settings")
                    .isBetween(400, 499);
            assertThat(ask(address, "select count() from processes").body()).contains("\"dataset\":[[3]]");
            CCompiler.status(List.of("sh", "-c", "kill -INT " + report.pid()));
            ChildResult end = report.await();
            CommandLineTool.assertDone(end);
            assertThat(end.stdoutLines()).as("what it prints").hasSize(1);
        });
        assertThat(scratch).as("its own files").isEmptyDirectory();
    }

    @Test
    @Tag("server")
    void whoHasNotSeenTheAddressGetsNothingFromTheConsole() throws Exception {
        record(3);
        serve(directory, (report, address, port) -> {
            for (String path : List.of(
                    "/", "/index.html", "/settings", "/exec?query=select%201", "/exp?query=select%201", "/imp")) {
                assertThat(get("http://127.0.0.1:" + port + path).statusCode())
                        .as(path)
                        .isEqualTo(404);
            }
            String path = URI.create(address).getPath() + "/exec?query=select%201";
            assertThat(statusLine(port, path, "127.0.0.1:" + port)).contains(" 200 ");
            assertThat(statusLine(port, path, "localhost:" + port)).contains(" 200 ");
            assertThat(statusLine(port, path, "rebound.example:" + port))
                    .as("a name that was bound to this machine")
                    .contains(" 401 ");
        });
    }

    @FunctionalInterface
    private interface Visit {
        void at(ChildJvm report, String address, int port) throws Exception;
    }

    private void serve(Path scratch, Visit visit) throws Exception {
        CompletableFuture<Matcher> says = new CompletableFuture<>();
        try (ChildJvm report = CommandLineTool.command(
                        Program.LIBRARY.path(), "report", "--dir=" + data(), "--tmp=" + scratch, "--serve")
                .startedBy("env", "--default-signal=INT") // whoever runs the tests in the background ignores it
                .onStdout(line -> says.complete(SERVING.matcher(line)))
                .start()) {
            Matcher serving = says.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(serving.matches())
                    .as(() -> report.stderrLinesSoFar().toString())
                    .isTrue();
            visit.at(report, serving.group(1), Integer.parseInt(serving.group(2)));
        }
    }

    /** Uses a socket, because the HTTP client lets nobody choose the host that it names. */
    private static String statusLine(int port, String path, String host) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    private Path data() {
        return directory.resolve("data");
    }

    private void record(int samples) {
        try (Store store = Store.open(data(), RetentionLimits.parse("1g"))) {
            for (int i = 0; i < samples; i++) {
                long elapsedUs = i == 0 ? 0 : 100_000;
                store.put(new Sample(
                        JVM,
                        BEGIN_US + i * 100_000L,
                        elapsedUs,
                        1,
                        new Sample.Whole(elapsedUs, i * 5, i),
                        0,
                        List.of(),
                        List.of(),
                        List.of()));
            }
        }
    }

    private HttpResponse<String> get(String uri) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(uri)).timeout(PATIENCE).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> ask(String address, String sql) throws Exception {
        return get(address + "/exec?query=" + URLEncoder.encode(sql, StandardCharsets.UTF_8));
    }

    private int send(String uri, String method, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(uri))
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** Where the process listens, for TCP of both kinds. */
    private static List<String> listening(long pid) throws IOException {
        Set<String> sockets = sockets(pid);
        List<String> addresses = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/net/" + table))) {
                String[] words = line.strip().split("\\s+");
                if (words[3].equals(LISTENS) && sockets.contains("socket:[" + words[9] + "]")) {
                    addresses.add(address(words[1]));
                }
            }
        }
        return addresses;
    }

    private static Set<String> sockets(long pid) throws IOException {
        Set<String> sockets = new HashSet<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                target(descriptor).ifPresent(sockets::add);
            }
        }
        return sockets;
    }

    /** A file that was open when the descriptors were listed may have been closed. */
    private static Optional<String> target(Path descriptor) throws IOException {
        try {
            return Optional.of(Files.readSymbolicLink(descriptor).toString());
        } catch (NoSuchFileException closed) {
            return Optional.empty();
        }
    }

    /** 0100007F:2328 is 127.0.0.1:9000; a longer address is returned as it is. */
    private static String address(String hex) {
        if (hex.length() != "0100007F:2328".length()) {
            return hex;
        }
        List<String> bytes = new ArrayList<>();
        for (int i = 6; i >= 0; i -= 2) {
            bytes.add(Integer.toString(Integer.parseInt(hex.substring(i, i + 2), 16)));
        }
        return String.join(".", bytes) + ":" + Integer.parseInt(hex.substring(9), 16);
    }
}
