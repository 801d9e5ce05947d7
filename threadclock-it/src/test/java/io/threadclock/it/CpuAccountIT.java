// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.CpuAccountProbe;

/** Tests accounts of work that many threads do at once. */
class CpuAccountIT {
    /** An object of three references and a header. */
    private static final long BYTES_OF_A_PART = 24;

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
    @OnOldestAndNewestJdk
    void areReadWithoutAComplaintOfTheCheckOfJni(Jdk jdk) {
        AccountLaws.assertCheckOfJniComplainsOfNothing(
                Program.stock(jdk, CpuAccountProbe.class, "platform").nativeAccess());
    }

    private static void assertLaws(Facts facts) {
        assertThat(facts.number("breaches"))
                .as("readings that contradict the one before, the first: %s", facts.text("firstBreach"))
                .isZero();
        assertThat(facts.number("parts")).as("parts").isEqualTo(80_000);
        assertThat(facts.number("innerParts")).as("parts of the inner account").isEqualTo(10_000);
        assertThat(facts.number("threads")).as("threads").isEqualTo(4);
        assertThat(facts.number("unmeasured")).as("unmeasured parts").isZero();
        facts.check("isInside", true, "what threads read inside of parts <= the account");
        facts.check("isAround", true, "the account <= what threads read around parts");
        facts.check("isInOuter", true, "the inner account <= the outer one");
        assertThat(facts.number("rest")).as("CPU - user - system time").isZero();
    }

    private static Facts facts(Jdk jdk, String kind) {
        return Program.stock(jdk, CpuAccountProbe.class, kind).nativeAccess().facts();
    }
}
