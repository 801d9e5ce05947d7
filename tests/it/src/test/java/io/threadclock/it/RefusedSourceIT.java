// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.FallbackLaws;
import io.threadclock.it.probe.PlainProbe;
import io.threadclock.it.probe.SnapshotIT;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

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

    @OnEachJdk
    void perfIsOneLineThatSaysWhatTheKernelAnswered(Jdk jdk) {
        Outcome outcome = plain(jdk, "source=perf", PERF).outcome();
        assertThat(outcome.agentLines())
                .singleElement()
                .asString()
                .startsWith("threadclock: source perf refused: ")
                .contains("perf_event_open", "EACCES", "source=auto");
    }

    @OnEachJdk
    void perfLeavesTheProgramAsWithoutTheAgent(Jdk jdk) {
        AsWithoutTheAgent.assertThatItIs(plain(jdk, "source=perf", PERF));
    }

    @OnEachJdk
    void rseqIsOneLineThatSaysWhatTheKernelAnswered(Jdk jdk) {
        Outcome outcome = plain(jdk, "source=rseq", RSEQ).outcome();
        assertThat(outcome.agentLines())
                .singleElement()
                .asString()
                .startsWith("threadclock: source rseq refused: ")
                .contains("source=auto");
    }

    @OnEachJdk
    void rseqLeavesTheProgramAsWithoutTheAgent(Jdk jdk) {
        AsWithoutTheAgent.assertThatItIs(plain(jdk, "source=rseq", RSEQ));
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
