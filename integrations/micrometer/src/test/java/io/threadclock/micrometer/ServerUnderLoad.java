// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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
 * The program of {@link ServerUnderLoadIT}: a server with a virtual thread for each request. It prints its port, and what
 * has been used so far for each byte of its input.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ServerUnderLoad {
    static final long REQUEST_NS = 4_000_000;
    static final String PORT = "port ";
    static final String USED = "used ";

    /** The word of the first line of /proc/stat, in units of 10 ms. */
    private static final int STEAL = 8;

    private static final long NS_PER_UNIT = 10_000_000;

    private static final Map<String, Object> PROPERTIES = Map.of(
            "server.port", "0",
            "spring.jmx.enabled", "false",
            "spring.threads.virtual.enabled", "true");

    private static final MountedThreads THREADS = new MountedThreads();
    private static final LongAdder HANDLERS_NS = new LongAdder();
    private static final MeterRegistry METERS = new SimpleMeterRegistry();

    /**
     * CPU times so far, in nanoseconds.
     *
     * @param handlers what the requests' handlers have read of themselves
     * @param clocks what the requests' threads have used, by their clocks
     * @param mounts the same by the kernel's clock of their carriers, around each mount
     * @param carriers of the carriers
     * @param others of all other threads
     * @param process of the process
     * @param meters the sum of the meters of pools and of the JVM's own threads
     * @param virtual the sum of the meters of pools of virtual threads, with their carriers' rest
     * @param stolen what a hypervisor has taken from all CPUs, which clocks may contain and the kernel's figures do not
     */
    record Used(
            long handlers,
            long clocks,
            long mounts,
            long carriers,
            long others,
            long process,
            long meters,
            long virtual,
            long stolen) {
        /** Between two answers of the program. */
        static Used between(String before, String after) {
            long[] begin =
                    Stream.of(before.split(" ")).mapToLong(Long::parseLong).toArray();
            long[] end = Stream.of(after.split(" ")).mapToLong(Long::parseLong).toArray();
            return new Used(
                    end[0] - begin[0],
                    end[1] - begin[1],
                    end[2] - begin[2],
                    end[3] - begin[3],
                    end[4] - begin[4],
                    end[5] - begin[5],
                    end[6] - begin[6],
                    end[7] - begin[7],
                    end[8] - begin[8]);
        }

        /** As the program prints them. */
        String line() {
            return LongStream.of(handlers, clocks, mounts, carriers, others, process, meters, virtual, stolen)
                    .mapToObj(Long::toString)
                    .collect(Collectors.joining(" "));
        }
    }

    @Bean
    WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> measuredThreads() {
        var factory = VirtualThreads.factory(THREADS);
        return tomcat -> tomcat.addProtocolHandlerCustomizers(
                handler -> handler.setExecutor(task -> factory.newThread(task).start()));
    }

    public static void main(String[] arguments) throws IOException {
        SpringApplication program = new SpringApplication(ServerUnderLoad.class);
        program.setDefaultProperties(PROPERTIES);
        try (ConfigurableApplicationContext context = program.run(arguments);
                ThreadClockMetrics metrics = new ThreadClockMetrics()) {
            metrics.bindTo(METERS);
            System.out.println(PORT + context.getEnvironment().getProperty("local.server.port"));
            while (System.in.read() >= 0) {
                System.out.println(USED + used().line());
            }
        }
    }

    private static Used used() {
        THREADS.awaitEnd();
        long processNs = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
        return new Used(
                HANDLERS_NS.sum(),
                THREADS.clocksNs(),
                THREADS.mountsNs(),
                kernelThreadsNs(true),
                kernelThreadsNs(false),
                processNs,
                meteredNs("threadclock.pool.cpu.time") + meteredNs("threadclock.jvm.cpu.time"),
                meteredNs("threadclock.virtual.cpu.time"),
                stolenNs());
    }

    private static long meteredNs(String meter) {
        return METERS.find(meter).functionCounters().stream()
                .mapToLong(counter -> Math.round(counter.count() * 1e9))
                .sum();
    }

    private static long stolenNs() {
        try {
            return NS_PER_UNIT
                    * Long.parseLong(
                            Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +")[STEAL]);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** CPU time of all carriers, or of all other threads, as the kernel tells. */
    private static long kernelThreadsNs(boolean areCarriers) {
        long sumNs = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                boolean isCarrier = THREADS.areCarriedBy(thread.getFileName().toString());
                String runNs = Files.readString(thread.resolve("schedstat")).split(" ")[0];
                sumNs += isCarrier == areCarriers ? Long.parseLong(runNs) : 0;
            }
            return sumNs;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
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
