// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.ThreadClock;
import io.threadclock.harness.Jdk;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * Tests that all CPU time of a server of Spring Boot is accounted for: of its requests, their carriers, and all other
 * threads.
 */
@Tag("timing")
class ServerUnderLoadIT {
    private static final Map<Jdk, String> OUTPUTS = new ConcurrentHashMap<>();

    @BeforeEach
    void assumeTheKernelTellsEachThread() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        assumeThat(Path.of("/proc/self/schedstat"))
                .as("/proc/PID/schedstat (CONFIG_SCHED_INFO)")
                .isReadable();
    }

    @OnEachJdkWithVirtualThreads
    void theCostOfAllRequestsAndTheRestOfTheirCarriersAndAllOtherThreadsIsThatOfTheProcess(Jdk jdk) {
        double restOfCarriers = ns(jdk, "carriers") - ns(jdk, "mounts");
        assertIsNearly(jdk, "process", ns(jdk, "clocks") + restOfCarriers + ns(jdk, "others"));
    }

    @OnEachJdkWithVirtualThreads
    void metersOfAllPoolsAndTheJvmAddUpToTheProcessAndThoseOfVirtualThreadsToTheirCarriers(Jdk jdk) {
        assertIsNearly(jdk, "process", ns(jdk, "meters"));
        assertIsNearly(jdk, "carriers", ns(jdk, "virtual"));
    }

    @OnEachJdkWithVirtualThreads
    void theCostOfAThreadContainsThatOfItsHandler(Jdk jdk) {
        assertThat(List.of(
                        (double) ServerUnderLoad.REQUESTS * ServerUnderLoad.REQUEST_NS,
                        ns(jdk, "handlers"),
                        ns(jdk, "clocks"),
                        ns(jdk, "carriers") + ns(jdk, "stolen")))
                .as("ns of the work, by the handlers, by the threads' clocks, and by the carriers with what was stolen")
                .isSorted();
    }

    private static void assertIsNearly(Jdk jdk, String whole, double sumNs) {
        assertThat(sumNs)
                .as("of %s, ns of%n%s", whole, OUTPUTS.get(jdk))
                .isCloseTo(ns(jdk, whole), within(ns(jdk, whole) / 50 + ns(jdk, "stolen")));
    }

    private static double ns(Jdk jdk, String name) {
        return Programs.figure(OUTPUTS.computeIfAbsent(jdk, ServerUnderLoadIT::output), name);
    }

    /** Without threads that end meanwhile, whose time the kernel no longer tells. */
    private static String output(Jdk jdk) {
        return Programs.output(Programs.measured(ServerUnderLoad.class, jdk)
                .jvmOptions("-XX:+UseSerialGC", "-XX:-UseDynamicNumberOfCompilerThreads")
                .jvmOptions("--add-opens=java.base/java.lang=ALL-UNNAMED")
                .jvmOptions(jdk.feature() < 26 ? List.of() : List.of("--enable-final-field-mutation=ALL-UNNAMED")));
    }
}
