// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.FallbackLaws;
import io.threadclock.it.probe.PlainProbe;
import io.threadclock.it.probe.SnapshotIT;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** JVMs to which the kernel refuses what a source needs. */
class RefusedSourceIT {
    private static final String PERF = "perf_event_open";
    private static final String RSEQ = "rseq";
    private static final String WIPE = "madvise";

    @TempDir
    static Path directory;

    private static SystemCallFilter filter;

    @BeforeAll
    static void compileTheFilter() throws IOException, InterruptedException {
        filter = SystemCallFilter.compiledIn(directory);
    }

    static Stream<Arguments> refusals() {
        return JdksUnderTest.all()
                .flatMap(jdk -> Stream.of(
                        Arguments.of(jdk, "perf", PERF, List.of(PERF, "EACCES", "source=auto")),
                        Arguments.of(jdk, "rseq", RSEQ, List.of("source=auto"))));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("refusals")
    void isOneLineThatSaysWhatTheKernelAnsweredAndLeavesTheProgramAsItIs(
            Jdk jdk, String source, String call, List<String> words) {
        Program program = plain(jdk, "source=" + source, call);
        assertThat(program.outcome().agentLines())
                .singleElement()
                .asString()
                .startsWith("threadclock: source " + source + " refused: ")
                .contains(words);
        AsWithoutTheAgent.assertThatItIs(program);
    }

    @OnEachJdk
    void autoTakesTheClockWhereBothAreRefused(Jdk jdk) {
        Program program = readings(jdk, "stats").startedBy(filter.without(PERF, RSEQ));
        assertThat(program.passes().outcome().agentLines()).contains("threadclock: source clock");
    }

    @OnEachJdk
    void autoTakesPerfWhereRseqIsRefused(Jdk jdk) {
        readings(jdk, "source=perf").passes();
        Program program = readings(jdk, "stats").startedBy(filter.without(RSEQ));
        assertThat(program.passes().outcome().agentLines()).contains("threadclock: source perf");
    }

    @OnEachJdk
    void rseqRegistersAnAreaOfItsOwnWhereLibcHasNone(Jdk jdk) {
        Program withLibcs = readings(jdk, "source=rseq,stats");
        withLibcs.passes();
        Program withItsOwn = withLibcs.environment("GLIBC_TUNABLES", "glibc.pthread.rseq=0");
        assertThat(withItsOwn.passes().outcome().agentLines()).contains("threadclock: source rseq");
    }

    @OnEachJdk
    void theAgentStaysOutWhereMemoryIsNotWipedOnFork(Jdk jdk) {
        Program program = plain(jdk, "", WIPE);
        assertThat(program.outcome().agentLines())
                .singleElement()
                .asString()
                .startsWith("threadclock: no memory that is wiped on fork")
                .endsWith("The JVM runs without threadclock.");
        AsWithoutTheAgent.assertThatItIs(program);
    }

    @OnEachJdk
    void theLibraryAnswersAsTheJvmDoesWhereMemoryIsNotWipedOnFork(Jdk jdk) {
        Program.law(jdk, FallbackLaws.class, "standsIn")
                .jvmOption("-Dthreadclock.it.reason=no memory that is wiped on fork")
                .startedBy(filter.without(WIPE))
                .passes();
    }

    @OnEachJdk
    void aSnapshotTakesFromTheJdkWhatItCannotFind(Jdk jdk) {
        Program.law(jdk, SnapshotIT.class, "listsTheThreadsThatTheJdkLists", "knowsNameStateAndTimesOfAThread")
                .startedBy(filter.without("process_vm_readv"))
                .passes();
    }

    private static Program readings(Jdk jdk, String options) {
        return Laws.of(jdk, 50_000).agent(options);
    }

    private static Program plain(Jdk jdk, String options, String refused) {
        return Program.stock(jdk, PlainProbe.class).agent(options).startedBy(filter.without(refused));
    }
}
