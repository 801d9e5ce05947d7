// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what the agent prints at exit when it is asked for its statistics. */
class AgentStatsIT {
    static Stream<Arguments> jdksAndSources() {
        return JdksUnderTest.withEach("rseq", "perf", "clock", "ticks", "proc");
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndSources")
    void nameTheSource(Jdk jdk, String source) {
        Outcome outcome = calls(jdk, "source=" + source);
        assertThat(outcome.agentLines()).as("lines of the agent").contains("threadclock: source " + source);
    }

    @OnEachJdk
    void nameTheSplitAndItsPeriod(Jdk jdk) {
        assertThat(calls(jdk, "split=ticks").agentLines()).contains("threadclock: split ticks");
        assertThat(calls(jdk, "split=sampled:1ms").agentLines()).contains("threadclock: split sampled:1ms");
    }

    @OnEachJdk
    void countOneFirstResyncOfEachThread(Jdk jdk) {
        long first = number(calls(jdk, "source=rseq"), "resyncs first (\\d+)");
        assertThat(first).as("first reads of 4 threads").isEqualTo(4);
    }

    @OnEachJdk
    void countNoDemotionOfASourceThatIsSound(Jdk jdk) {
        assertThat(number(calls(jdk, "source=rseq"), "demotions (\\d+)"))
                .as("demotions")
                .isZero();
    }

    @OnEachJdk
    void areLinesOfTheAgentAndNothingElse(Jdk jdk) {
        Outcome outcome = calls(jdk, "source=rseq");
        List<String> stderr = outcome.result().stderrLines();
        assertThat(stderr).as("standard error").isNotEmpty().allMatch(line -> line.startsWith("threadclock: "));
    }

    private static Outcome calls(Jdk jdk, String options) {
        return Laws.unjudged(jdk, 2_000).agent(options + ",stats").passes().outcome();
    }

    private static long number(Outcome outcome, String pattern) {
        String lines = String.join("\n", outcome.agentLines());
        return Pattern.compile(pattern)
                .matcher(lines)
                .results()
                .mapToLong(match -> Long.parseLong(match.group(1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + pattern + " in the lines of the agent:\n" + lines));
    }
}
