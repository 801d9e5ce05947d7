// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.lab.question.JmhPlan.Part;
import io.threadclock.lab.question.JmhTasks.JmhTask;
import io.threadclock.lab.results.Measurement.Subject;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

class JmhPlanTest {
    private static final Jdk OLD = new Jdk(Path.of("/17"), "17.0.15", "");
    private static final Jdk NEW = new Jdk(Path.of("/25"), "25.0.3", "");

    @Test
    void measuresNoFigureTwice() {
        for (JmhPlan plan : List.of(JmhPlan.quick(2), JmhPlan.usual(2), JmhPlan.full(2))) {
            assertThat(tasks(plan, NEW).map(JmhTask::subject).toList()).doesNotHaveDuplicates();
        }
    }

    @Test
    void measuresAllBenchmarksThatThereAre() {
        OutputFormat nowhere = OutputFormatFactory.createFormatInstance(
                new PrintStream(OutputStream.nullOutputStream()), VerboseMode.SILENT);
        List<String> all = BenchmarkList.defaultList().getAll(nowhere, Collections.emptyList()).stream()
                .map(BenchmarkListEntry::getUsername)
                .distinct()
                .toList();
        List<String> planned = tasks(JmhPlan.full(2), NEW)
                .map(task -> "io.threadclock.lab.jmh." + task.benchmark())
                .distinct()
                .toList();
        assertThat(planned).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void asksTheLibraryByJniAloneWhereTheJdkHasNothingElse() {
        assertThat(contenders(JmhPlan.full(2), OLD))
                .contains("library JNI user time")
                .noneMatch(contender -> contender.contains("FFM"));
    }

    @Test
    void fitsIntoItsTimeOnTwoJdks() {
        assertThat(JmhPlan.quick(2).seconds(List.of(OLD, NEW))).isBetween(30L, 55L);
        assertThat(JmhPlan.usual(2).seconds(List.of(OLD, NEW))).isBetween(240L, 330L);
        assertThat(JmhPlan.full(2).seconds(List.of(OLD, NEW))).isBetween(360L, 480L);
    }

    @Test
    void measuresEachForLessIfThereAreMoreJdks() {
        assertThat(JmhPlan.full(4).seconds(List.of(OLD, NEW)))
                .isLessThan(JmhPlan.full(2).seconds(List.of(OLD, NEW)));
        assertThat(JmhPlan.quick(4).seconds(List.of(OLD, NEW)))
                .isLessThan(JmhPlan.quick(2).seconds(List.of(OLD, NEW)));
    }

    @Test
    void turnsTheOrderAroundFromRoundToRound() {
        Part part = JmhPlan.full(2).parts(NEW).get(0);
        List<JmhTask> backward = new ArrayList<>(part.inTurn(0));
        Collections.reverse(backward);
        assertThat(part.inTurn(1)).isEqualTo(backward).isNotEqualTo(part.inTurn(2));
    }

    private static Stream<JmhTask> tasks(JmhPlan plan, Jdk jdk) {
        return plan.parts(jdk).stream().flatMap(part -> part.tasks().stream());
    }

    private static List<String> contenders(JmhPlan plan, Jdk jdk) {
        return tasks(plan, jdk).map(JmhTask::subject).map(Subject::contender).toList();
    }
}
