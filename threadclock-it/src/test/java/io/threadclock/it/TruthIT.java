// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.TruthProbe;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The figures of other threads, against the kernel's own account of what they have used up. */
class TruthIT {
    private static final String WORK_MS = "100";
    /** A thread's own readings may be ahead of the account by a window at most. */
    private static final long SLACK_NS = 5_000_000;

    /** The kernel tells its split in units of 10 ms. */
    private static final double SLACK_OF_SHARE = 0.15;

    static Stream<Arguments> jdksAndPresences() {
        return JdksUnderTest.present(Presence.AGENTPATH, Presence.ATTACHED);
    }

    @WithTheAgent
    void isToldOfAllThatTheKernelHasCountedBefore(Jdk jdk, Presence presence) {
        for (String worker : Workers.ALL) {
            for (String form : Workers.FORMS) {
                long cpuNs = truth(jdk, presence).number(worker + form + ".cpuNs");
                assertThat(cpuNs)
                        .as("CPU time of %s%s, against the kernel's account before, ns", worker, form)
                        .isGreaterThanOrEqualTo(truth(jdk, presence).number(worker + ".kernelNs"));
                assertThat(truth(jdk, presence).number(worker + form + ".userNs"))
                        .as("user time of %s%s, of its CPU time, ns", worker, form)
                        .isBetween(0L, cpuNs);
            }
        }
    }

    @WithTheAgent
    @Tag("timing")
    void isToldOfCpuTime(Jdk jdk, Presence presence) {
        for (String worker : Workers.ALL) {
            long kernelNs = truth(jdk, presence).number(worker + ".kernelNs");
            long mostNs = truth(jdk, presence).number(worker + ".kernelAfterNs") + SLACK_NS;
            for (String form : Workers.FORMS) {
                assertThat(truth(jdk, presence).number(worker + form + ".cpuNs"))
                        .as("CPU time of %s%s, between the kernel's accounts before and after, ns", worker, form)
                        .isBetween(kernelNs, mostNs);
            }
        }
    }

    @WithTheAgent
    @Tag("timing")
    void isToldOfUserTimeWhereAThreadHasSpun(Jdk jdk, Presence presence) {
        assertUserShares(jdk, presence, 0.6, 1.0, Workers.SPINNERS);
    }

    @WithTheAgent
    @Tag("timing")
    void isToldOfSystemTimeWhereAThreadHasReadZeros(Jdk jdk, Presence presence) {
        assertUserShares(jdk, presence, 0.0, 0.5, Workers.ZERO_READERS);
    }

    private static void assertUserShares(Jdk jdk, Presence presence, double least, double most, String... workers) {
        Facts truth = truth(jdk, presence);
        for (String worker : workers) {
            for (String form : Workers.FORMS) {
                long userNs = truth.number(worker + form + ".userNs");
                long cpuNs = truth.number(worker + form + ".cpuNs");
                double kernelsShare = kernelsUserShare(truth, worker);
                assertThat((double) userNs / cpuNs)
                        .as("user time / CPU time of %s%s: %s ns / %s ns", worker, form, userNs, cpuNs)
                        .isBetween(
                                Math.min(least, kernelsShare - SLACK_OF_SHARE),
                                Math.max(most, Math.min(1.0, kernelsShare + SLACK_OF_SHARE)));
            }
        }
    }

    /** Ten clock ticks, or 25, may find a spinner in the kernel more often than it is there. */
    private static double kernelsUserShare(Facts truth, String worker) {
        double userTicks = truth.number(worker + ".kernelUserTicks");
        double systemTicks = truth.number(worker + ".kernelSystemTicks");
        return userTicks + systemTicks == 0 ? 0.5 : userTicks / (userTicks + systemTicks);
    }

    private static Facts truth(Jdk jdk, Presence presence) {
        return presence.of(Program.stock(jdk, TruthProbe.class, WORK_MS)).facts();
    }

    /** The threads of the probe. */
    private static final class Workers {
        static final String[] FORMS = {".byId", ".byArray"};
        static final String[] SPINNERS = {
            "before.spinner", "before.selfReadingSpinner", "after.spinner", "after.selfReadingSpinner"
        };
        static final String[] ZERO_READERS = {"before.zeroReader", "after.zeroReader"};
        static final String[] IDLERS = {"before.idler", "after.idler"};
        static final String[] ALL =
                Stream.of(SPINNERS, ZERO_READERS, IDLERS).flatMap(Stream::of).toArray(String[]::new);
    }

    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndPresences")
    @interface WithTheAgent {}
}
