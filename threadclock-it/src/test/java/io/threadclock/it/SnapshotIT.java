// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.ReturnedMainProbe;
import io.threadclock.it.probe.SnapshotProbe;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of all threads through the Java library. */
class SnapshotIT {
    private static final long BUSY_NS = TimeUnit.MILLISECONDS.toNanos(60);

    @OnEachJdk
    void listsTheThreadsThatTheJdkLists(Jdk jdk) {
        assertThat(facts(jdk).text("ids"))
                .as("ids of the threads")
                .isEqualTo(facts(jdk).text("idsOfTheJdk"));
    }

    @OnEachJdk
    void leavesOutWhatHasEnded(Jdk jdk) {
        assertThat(facts(jdk).text("ended"))
                .as("whether a thread that has ended is in it")
                .isEqualTo("false");
    }

    @OnEachJdk
    void knowsNameStateAndTimesOfAThread(Jdk jdk) {
        Facts facts = facts(jdk);
        assertThat(facts.text("parked.name")).isEqualTo("parked");
        assertThat(facts.text("parked.state")).isEqualTo("WAITING");
        assertThat(facts.text("own.state")).isEqualTo("RUNNABLE");
        assertAddsUp(facts, "parked");
        assertAddsUp(facts, "own");
    }

    @OnEachJdk
    void countsAThreadThatHasStartedSinceFromItsStart(Jdk jdk) {
        Facts facts = facts(jdk);
        assertThat(facts.number("started.usage")).as("its usage, ns").isEqualTo(facts.number("parked.cpu"));
    }

    /** It is another thread of Java, and the same one of the kernel. */
    @OnEachJdk
    void countsWhatMainHasSpentOnceWhenItHasReturned(Jdk jdk) {
        Facts facts = Program.stock(jdk, ReturnedMainProbe.class).nativeAccess().facts();
        facts.check("tid", true, "whether the tid is still main's");
        assertThat(facts.number("usage")).as("CPU time of DestroyJavaVM, ns").isEqualTo(facts.number("sinceMain"));
        assertThat(facts.text("continuesMain")).isEqualTo("true");
        assertThat(facts.text("continuesOther")).isEqualTo("false");
    }

    @OnEachJdk
    void tellsWhoWasBusyInBetween(Jdk jdk) {
        Facts facts = facts(jdk);
        assertThat(facts.number("idle.usage"))
                .as("CPU time of the thread that waited, ns")
                .isZero();
        assertThat(facts.number("busy.usage"))
                .as("CPU time of the thread that spun, ns")
                .isPositive();
        assertThat(facts.number("wall")).as("the interval's length, ns").isGreaterThanOrEqualTo(BUSY_NS);
        assertThat(facts.number("busy.usage"))
                .as("CPU time of the thread that spun, within the wall time of all, ns")
                .isLessThanOrEqualTo(facts.number("wallAround"));
        assertThat(facts.number("busy.percent"))
                .as("its usage of a CPU, percent")
                .isEqualTo(Math.round(100.0 * facts.number("busy.usage") / facts.number("wall")));
    }

    @OnEachJdk
    void sumsItsThreads(Jdk jdk) {
        Facts facts = facts(jdk);
        assertThat(facts.number("sum"))
                .as("CPU time of all, ns")
                .isEqualTo(facts.number("sumOfThreads"))
                .isEqualTo(facts.number("sumOfParts"));
    }

    @OnEachJdk
    void takesFromTheJdkWhatItCannotFind(Jdk jdk, @TempDir Path scratch) throws Exception {
        SystemCallFilter filter = SystemCallFilter.compiledIn(scratch);
        Facts refused =
                snapshot(jdk).startedBy(filter.without("process_vm_readv")).facts();
        assertThat(refused.text("ids")).as("ids of the threads").isEqualTo(refused.text("idsOfTheJdk"));
        assertAddsUp(refused, "parked");
    }

    private static void assertAddsUp(Facts facts, String thread) {
        assertThat(facts.number(thread + ".cpu"))
                .as("CPU time of %s, ns", thread)
                .isPositive()
                .isEqualTo(facts.number(thread + ".user") + facts.number(thread + ".system"));
    }

    private static Program snapshot(Jdk jdk) {
        return Program.stock(jdk, SnapshotProbe.class).nativeAccess();
    }

    private static Facts facts(Jdk jdk) {
        return snapshot(jdk).facts();
    }
}
