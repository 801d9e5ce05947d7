// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The program of {@link ServerUnderLoadIT}: a server with a virtual thread for each request. It requests all of itself,
 * and prints the CPU times that were used meanwhile, one a line.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ServerUnderLoad {
    static final int REQUESTS = 600;
    static final long REQUEST_NS = 4_000_000;
    private static final int CLIENTS = 8;

    /** The word of the first line of /proc/stat, in units of 10 ms. */
    private static final int STEAL = 8;

    private static final long NS_PER_UNIT = 10_000_000;

    private static final MountedThreads THREADS = new MountedThreads();
    private static final LongAdder HANDLERS_NS = new LongAdder();
    private static final MeterRegistry METERS = new SimpleMeterRegistry();

    @Bean
    WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> measuredThreads() {
        var factory = VirtualThreads.factory(THREADS);
        return tomcat -> tomcat.addProtocolHandlerCustomizers(
                handler -> handler.setExecutor(task -> factory.newThread(task).start()));
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (ConfigurableApplicationContext context = SpringApplication.run(
                        ServerUnderLoad.class, "--server.port=0", "--spring.threads.virtual.enabled=true");
                ThreadClockMetrics metrics = new ThreadClockMetrics()) {
            metrics.bindTo(METERS);
            String port = context.getEnvironment().getProperty("local.server.port");
            URL address = URI.create("http://127.0.0.1:" + port + "/request").toURL();
            Map<String, Long> before = used();
            Callable<Integer> request = () -> ((HttpURLConnection) address.openConnection()).getResponseCode();
            for (Future<Integer> answer : clients.invokeAll(Collections.nCopies(REQUESTS, request))) {
                if (answer.get() != HttpURLConnection.HTTP_OK) {
                    throw new IllegalStateException("HTTP status " + answer.get());
                }
            }
            used().forEach((name, ns) -> System.out.println(name + " " + (ns - before.get(name))));
        } finally {
            clients.shutdown();
        }
    }

    /** So far, in nanoseconds. */
    private static Map<String, Long> used() throws IOException {
        THREADS.awaitEnd();
        Map<String, Long> ns = new LinkedHashMap<>();
        ns.put("handlers", HANDLERS_NS.sum()); // what the requests' handlers have read of themselves
        ns.put("clocks", THREADS.clocksNs()); // what the requests' threads have used, by their clocks
        ns.put("mounts", THREADS.mountsNs()); // the same by the kernel's clock of their carriers, around each mount
        ns.put("carriers", kernelThreadsNs(true));
        ns.put("others", kernelThreadsNs(false));
        ns.put(
                "process",
                ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime());
        ns.put("meters", meteredNs("threadclock.pool.cpu.time") + meteredNs("threadclock.jvm.cpu.time"));
        ns.put("virtual", meteredNs("threadclock.virtual.cpu.time")); // with their carriers' rest
        ns.put("stolen", stolenNs()); // from all CPUs, which clocks may contain and the kernel's figures do not
        return ns;
    }

    private static long meteredNs(String meter) {
        return METERS.find(meter).functionCounters().stream()
                .mapToLong(counter -> Math.round(counter.count() * 1e9))
                .sum();
    }

    private static long stolenNs() throws IOException {
        String cpus = Files.readAllLines(Path.of("/proc/stat")).get(0);
        return NS_PER_UNIT * Long.parseLong(cpus.split(" +")[STEAL]);
    }

    /** CPU time of all carriers, or of all other threads, as the kernel tells. */
    private static long kernelThreadsNs(boolean areCarriers) throws IOException {
        long sumNs = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                boolean isCarrier = THREADS.areCarriedBy(thread.getFileName().toString());
                String runNs = Files.readString(thread.resolve("schedstat")).split(" ")[0];
                sumNs += isCarrier == areCarriers ? Long.parseLong(runNs) : 0;
            }
            return sumNs;
        }
    }

    /** Spring finds this class by itself. */
    @RestController
    static final class Server {
        @GetMapping("/request")
        String handle() throws Exception {
            long beforeNs = ThreadClock.cpuTimeNs();
            Burning.cpu(REQUEST_NS / 2);
            Thread.sleep(1); // leaves the carrier
            String status = Files.readString(Path.of("/proc/self/status"));
            Burning.cpu(REQUEST_NS / 2);
            HANDLERS_NS.add(ThreadClock.cpuTimeNs() - beforeNs);
            return status;
        }
    }
}
