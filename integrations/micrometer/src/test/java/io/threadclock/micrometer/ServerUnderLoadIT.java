// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.ThreadClock;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.Jdk;
import io.threadclock.micrometer.ServerUnderLoad.Used;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Tests that all CPU time of a server of Spring Boot is accounted for: of its requests, their carriers, and all other threads. */
@Tag("timing")
class ServerUnderLoadIT {
    private static final int CLIENTS = 8;
    private static final int REQUESTS_EACH = 75;

    /** Without threads that end meanwhile, whose time the kernel no longer tells. */
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:-UseDynamicNumberOfCompilerThreads",
            "--add-opens=java.base/java.lang=ALL-UNNAMED");

    private static final Map<Jdk, Used> USED = new ConcurrentHashMap<>();

    @BeforeEach
    void assumeTheKernelTellsEachThread() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        assumeThat(Path.of("/proc/self/schedstat"))
                .as("/proc/PID/schedstat (CONFIG_SCHED_INFO)")
                .isReadable();
    }

    @OnEachJdkWithVirtualThreads
    void theCostOfAllRequestsAndTheRestOfTheirCarriersAndAllOtherThreadsIsThatOfTheProcess(Jdk jdk) {
        Used used = USED.computeIfAbsent(jdk, ServerUnderLoadIT::used);
        long restOfCarriers = used.carriers() - used.mounts();
        assertThat(used.clocks() + restOfCarriers + used.others())
                .as("%s, ns", used)
                .isCloseTo(used.process(), within(used.process() / 50 + used.stolen()));
    }

    @OnEachJdkWithVirtualThreads
    void metersOfAllPoolsAndTheJvmAddUpToTheProcessAndThoseOfVirtualThreadsToTheirCarriers(Jdk jdk) {
        Used used = USED.computeIfAbsent(jdk, ServerUnderLoadIT::used);
        assertThat(used.meters())
                .as("meters of pools and the JVM, of %s, ns", used)
                .isCloseTo(used.process(), within(used.process() / 50 + used.stolen()));
        assertThat(used.virtual())
                .as("meters of virtual threads and the carriers' rest, of %s, ns", used)
                .isCloseTo(used.carriers(), within(used.carriers() / 50 + used.stolen()));
    }

    @OnEachJdkWithVirtualThreads
    void theCostOfAThreadContainsThatOfItsHandler(Jdk jdk) {
        Used used = USED.computeIfAbsent(jdk, ServerUnderLoadIT::used);
        long workNs = CLIENTS * REQUESTS_EACH * ServerUnderLoad.REQUEST_NS;
        assertThat(List.of(workNs, used.handlers(), used.clocks(), used.carriers() + used.stolen()))
                .as("ns of the work, by the handlers, by the threads' clocks, and by the carriers with what was stolen")
                .isSorted();
    }

    private static Used used(Jdk jdk) {
        BlockingQueue<String> said = new LinkedBlockingQueue<>();
        ChildJvm.Builder program = ChildJvm.on(jdk)
                .jvmOptions(OPTIONS)
                .mainClass(ServerUnderLoad.class)
                .onStdout(said::add);
        if (jdk.feature() >= 26) {
            program.jvmOptions("--enable-final-field-mutation=ALL-UNNAMED");
        }
        try (ChildJvm server = program.start()) {
            return used(server, said);
        } catch (Exception failed) {
            throw new AssertionError("asking the server on " + jdk + " failed", failed);
        }
    }

    private static Used used(ChildJvm server, BlockingQueue<String> said) throws Exception {
        String port = answer(server, said, ServerUnderLoad.PORT);
        server.send("");
        String before = answer(server, said, ServerUnderLoad.USED);
        request(URI.create("http://127.0.0.1:" + port + "/request"));
        server.send("");
        return Used.between(before, answer(server, said, ServerUnderLoad.USED));
    }

    private static String answer(ChildJvm server, BlockingQueue<String> said, String beginning) throws Exception {
        String line;
        do {
            line = said.poll(2, TimeUnit.MINUTES);
        } while (line != null && !line.startsWith(beginning));
        assertThat(line)
                .as("line that begins with %s, after %s", beginning, server.stderrLinesSoFar())
                .isNotNull();
        return line.substring(beginning.length());
    }

    private static void request(URI address) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address).build();
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < CLIENTS * REQUESTS_EACH; i++) {
                answers.add(clients.submit(() -> client.send(request, HttpResponse.BodyHandlers.discarding())
                        .statusCode()));
            }
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).as("HTTP status").isEqualTo(200);
            }
        } finally {
            clients.shutdown();
        }
    }
}
