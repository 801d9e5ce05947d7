// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.CpuAccountProbe;
import org.junit.jupiter.api.Tag;

/** Tests accounts of work that many threads do at once. */
class CpuAccountIT {
    private static final int THREADS = 4;
    private static final int PARTS = Thoroughness.orLittle(20_000, 2_000); // of each thread
    private static final int NESTED_EACH = 8;
    /** An object of three references and a header. */
    private static final long BYTES_OF_A_PART = 24;

    @Tag("long")
    @OnEachJdk
    void areOneSequenceWhilePlatformThreadsUseThem(Jdk jdk) {
        assertLaws(facts(jdk, "platform"));
    }

    @OnEachJdkWithVirtualThreads
    void areOneSequenceWhileVirtualThreadsUseThem(Jdk jdk) {
        assertLaws(facts(jdk, "virtual"));
    }

    @OnEachJdk
    void allocateNothingButTheirParts(Jdk jdk) {
        assertThat(facts(jdk, "platform").number("bytes"))
                .as("bytes that enter() and close() allocate")
                .isBetween(0L, BYTES_OF_A_PART);
    }

    /** It reads parts of other threads before anybody has taken a snapshot. */
    @Tag("long")
    @OnOldestAndNewestJdk
    void areReadWithoutAComplaintOfTheCheckOfJni(Jdk jdk) {
        AccountLaws.assertCheckOfJniComplainsOfNothing(program(jdk, "platform"));
    }

    private static void assertLaws(Facts facts) {
        assertThat(facts.number("breaches"))
                .as("readings that contradict the one before, the first: %s", facts.text("firstBreach"))
                .isZero();
        assertThat(facts.number("parts")).as("parts").isEqualTo(THREADS * PARTS);
        assertThat(facts.number("innerParts"))
                .as("parts of the inner account")
                .isEqualTo(THREADS * PARTS / NESTED_EACH);
        assertThat(facts.number("threads")).as("threads").isEqualTo(THREADS);
        assertThat(facts.number("unmeasured")).as("unmeasured parts").isZero();
        facts.check("isInside", true, "what threads read inside of parts <= the account");
        facts.check("isAround", true, "the account <= what threads read around parts");
        facts.check("isInOuter", true, "the inner account <= the outer one");
        assertThat(facts.number("rest")).as("CPU - user - system time").isZero();
    }

    private static Facts facts(Jdk jdk, String kind) {
        return program(jdk, kind).facts();
    }

    private static Program program(Jdk jdk, String kind) {
        return Program.stock(jdk, CpuAccountProbe.class, kind, Integer.toString(PARTS))
                .nativeAccess();
    }
}
