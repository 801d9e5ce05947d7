// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.PlainProbe;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AgentOptionsIT {
    static Stream<Arguments> jdksAndWrongOptions() {
        return JdksUnderTest.withEach(jdk -> Thoroughness.settings(
                jdk,
                2,
                "bogus",
                "source=cpu",
                "source=",
                "split=kernel",
                "window=1us",
                "window=101ms",
                "window=4",
                "window=-4ms",
                "stats=1",
                "strict=1",
                "split=sampled:89us",
                "split=sampled:11ms",
                "split=smoothed:1ms"));
    }

    static Stream<Arguments> jdksAndRightOptions() {
        return JdksUnderTest.withEach(jdk -> Thoroughness.settings(
                jdk,
                2,
                "source=auto",
                "source=clock,split=sampled,window=2ms",
                "split=smoothed",
                "split=sampled",
                "split=sampled:1ms",
                "window=100us",
                "window=250000ns",
                "window=100ms",
                "strict"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndWrongOptions")
    void aWrongOneIsNamedInOneLineAndLeavesTheProgramAsWithoutTheAgent(Jdk jdk, String options) {
        Program program = Program.stock(jdk, PlainProbe.class).agent(options);
        assertThat(program.outcome().agentLines())
                .as("what the agent says of the option %s", options)
                .singleElement()
                .asString()
                .startsWith("threadclock: unknown option \"" + options + "\"; known are source=auto|");
        AsWithoutTheAgent.assertThatItIs(program);
    }

    @OnEachJdk
    void aWrongOneAmongRightOnesIsNamedAlone(Jdk jdk) {
        Outcome outcome = Program.stock(jdk, PlainProbe.class)
                .agent("source=clock,bogus,stats")
                .outcome();
        assertThat(outcome.agentLines()).singleElement().asString().contains("\"bogus\"");
    }

    @OnEachJdk
    void aWrongPeriodIsToldWhatIsAllowed(Jdk jdk) {
        Outcome outcome =
                Program.stock(jdk, PlainProbe.class).agent("split=sampled:11ms").outcome();
        assertThat(outcome.agentLines()).singleElement().asString().contains("|sampled:90us..10ms, ");
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndRightOptions")
    void aRightOneIsTakenWithoutAWord(Jdk jdk, String options) {
        assertThat(Laws.of(jdk, 20_000).agent(options).passes().outcome().agentLines())
                .as("what the agent says of the options %s", options)
                .isEmpty();
    }
}
