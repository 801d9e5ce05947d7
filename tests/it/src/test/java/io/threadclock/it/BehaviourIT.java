// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.BehaviourProbe;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All answers except the times are as on the stock JDK, for every caller, every thread and every method. */
class BehaviourIT {
    /** Fewer would mean that the probe has left something out: states × askers × kinds of ids × forms. */
    private static final int LEAST_ANSWERS = 1000;

    private static final String ILLEGAL = "java.lang.IllegalArgumentException";

    static Stream<Arguments> withTheAgent() {
        return JdksUnderTest.allAndTheOldest()
                .flatMap(jdk -> presencesIn(jdk).map(presence -> Arguments.of(jdk, presence)));
    }

    private static Stream<Presence> presencesIn(Jdk jdk) {
        Stream<Presence> all = Stream.of(
                Presence.AGENTPATH, Presence.ATTACHED, Presence.DETACHED, Presence.BOOSTED, Presence.UNBOOSTED);
        return all.limit(Thoroughness.BRIEF ? 2 : Thoroughness.isOldestOrNewest(jdk) ? 5 : 3);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("withTheAgent")
    void isTheStockJdks(Jdk jdk, Presence presence) {
        assertAsStock(program(jdk), presence.of(program(jdk)));
    }

    @OnEachJdkWithVirtualThreads
    void isTheStockJdksWhereTheAgentMeasuresVirtualThreads(Jdk jdk) {
        assertAsStock(program(jdk), program(jdk).agent("virtual"));
    }

    @OnEachJdkWithVirtualThreads
    void isTheStockJdksWhereVirtualThreadsHaveAThreadOfTheKernelEach(Jdk jdk) {
        Program program = program(jdk).jvmOption("-XX:+UnlockExperimentalVMOptions", "-XX:-VMContinuations");
        assertAsStock(program, program.agent(""));
    }

    @OnEachJdk
    void refusesIdsThatAreNotPositive(Jdk jdk) {
        Facts facts = program(jdk).agent("").facts();
        assertThat(facts.text("main.enabled.cpu.zero")).as("CPU time of id 0").isEqualTo(ILLEGAL);
        assertThat(facts.text("main.enabled.user.minusOne"))
                .as("user time of id -1")
                .isEqualTo(ILLEGAL);
    }

    @OnEachJdk
    void givesATimeForTheLivingAndMinusOneForTheEnded(Jdk jdk) {
        Facts facts = program(jdk).agent("").facts();
        for (String time : new String[] {"main.enabled.cpu", "main.enabled.user"}) {
            assertThat(facts.text(time + ".ended.before"))
                    .as("%s of an ended thread", time)
                    .isEqualTo("-1");
            assertThat(facts.text(time + ".[ended.before,own,ended.before]"))
                    .as("%s of ended, own, ended", time)
                    .isEqualTo("[-1,time,-1]");
        }
    }

    @OnEachJdk
    void isMinusOneWhileThreadCpuTimeIsDisabledAndATimeOnceItIsEnabledAgain(Jdk jdk) {
        Facts facts = program(jdk).agent("").facts();
        for (String time : new String[] {"cpu", "user"}) {
            assertThat(facts.text("main.disabled." + time + ".current"))
                    .as("%s time while disabled", time)
                    .isEqualTo("-1");
            assertThat(facts.text("main.disabled." + time + ".[silent.before,own,silent.before]"))
                    .as("%s times while disabled", time)
                    .isEqualTo("[-1,-1,-1]");
            assertThat(facts.text("main.again." + time + ".current"))
                    .as("%s time after it was enabled again", time)
                    .isEqualTo("time");
        }
    }

    private static void assertAsStock(Program stock, Program with) {
        assertThat(stock.facts().byName()).as("answers of the stock JDK").hasSizeGreaterThan(LEAST_ANSWERS);
        assertThat(with.facts().differencesFrom(stock.facts()))
                .as("answers with the agent against those of the stock JDK")
                .isEmpty();
    }

    private static Program program(Jdk jdk) {
        return Program.stock(jdk, BehaviourProbe.class);
    }
}
