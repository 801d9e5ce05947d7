// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.FirstFigureProbe;
import io.threadclock.it.probe.ThreadIdArrayProbe;
import io.threadclock.it.probe.ThreadIdProbe;
import org.junit.jupiter.api.Tag;

class ThreadIdsIT {
    private static final String ILLEGAL = "java.lang.IllegalArgumentException";

    @OnEachJdkAndTheOldest
    void ofAllKindsAreAnsweredAsByTheStockJdk(Jdk jdk) {
        Facts stock = Program.stock(jdk, ThreadIdProbe.class).facts();
        assertThat(byId(jdk).endingIn(".kind"))
                .as("answers by id with the agent, against stock")
                .isEqualTo(stock.endingIn(".kind"));
    }

    @OnEachJdk
    void thatAreNotPositiveAreRefused(Jdk jdk) {
        Facts facts = byId(jdk);
        assertThat(facts.text("cpu.zero.kind")).as("CPU time of id 0").isEqualTo(ILLEGAL);
        assertThat(facts.text("user.minusOne.kind")).as("user time of id -1").isEqualTo(ILLEGAL);
    }

    @OnEachJdk
    void ofAThreadThatHasEndedAreAnsweredWithMinusOne(Jdk jdk) {
        Facts facts = byId(jdk);
        assertThat(facts.text("cpu.ended.kind"))
                .as("CPU time of an ended thread")
                .isEqualTo("-1");
        assertThat(facts.text("user.ended.kind"))
                .as("user time of an ended thread")
                .isEqualTo("-1");
    }

    @OnEachJdkAndTheOldest
    void ofAnotherThreadAreAnsweredWithThatThreadsTime(Jdk jdk) {
        Facts facts = byId(jdk);
        assertThat(facts.number("busyNs"))
                .as("CPU time of a thread that has spun for 80 ms of it, ns")
                .isGreaterThanOrEqualTo(80_000_000);
        assertThat(facts.number("idleNs"))
                .as("CPU time of a thread that did nothing, ns")
                .isNotNegative();
    }

    @OnEachJdk
    @Tag("timing")
    void ofAThreadThatDidNothingAreAnsweredWithTheKernelsTime(Jdk jdk) {
        Facts facts = byId(jdk);
        assertThat(facts.number("idleNs"))
                .as("CPU time of a thread that did nothing, against the kernel's account, ns")
                .isBetween(0L, facts.number("idleKernelNs") + 10_000_000);
    }

    @OnEachJdk
    void inArraysAreAnsweredAsByTheStockJdk(Jdk jdk) {
        Facts stock = Program.stock(jdk, ThreadIdArrayProbe.class).facts();
        Facts agent = Program.withAgent(jdk, ThreadIdArrayProbe.class).facts();
        assertThat(agent.byName())
                .as("answers by array with the agent, against stock")
                .isEqualTo(stock.byName());
    }

    @OnEachJdk
    void inArraysGiveATimeForTheLivingAndMinusOneForTheEnded(Jdk jdk) {
        Facts agent = Program.withAgent(jdk, ThreadIdArrayProbe.class).facts();
        assertThat(agent.text("user.ownEndedOther"))
                .as("user times of own, ended, other")
                .isEqualTo("[time,-1,time]");
        assertThat(agent.text("disabled.user.ownEndedOther"))
                .as("while disabled")
                .isEqualTo("[-1,-1,-1]");
    }

    @OnEachJdk
    @Tag("timing")
    void ofThreadsThatWaitAreAnsweredAlikeFromTheFirstAnswerOn(Jdk jdk) {
        Program attached = Presence.ATTACHED.of(Program.stock(jdk, FirstFigureProbe.class));
        Facts facts = attached.nativeAccess().facts();
        assertThat(facts.number("compared"))
                .as("threads that waited between two answers")
                .isPositive();
        assertThat(facts.number("moved"))
                .as("whose user time has moved meanwhile, by up to %s ns", facts.text("mostNs"))
                .isZero();
    }

    private static Facts byId(Jdk jdk) {
        return Program.withAgent(jdk, ThreadIdProbe.class).facts();
    }
}
