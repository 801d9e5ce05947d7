// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.report.Goals.Goal;
import io.threadclock.lab.report.Goals.Verdict;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code bench --check} holds a run against: each goal just reached, and just missed. */
class GoalsTest {
    private static final String LOOP = "loop/17.0.15/stock/user time=9000; loop/17.0.15/threadclock/user time=20";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "loop/17/stock/user time=9000; loop/17/threadclock/user time=12 | user time, stock | REACHED",
                "loop/17/stock/user time=9000; loop/17/threadclock/user time=20 | user time, stock | MISSED",
                "loop/17/stock/user time=4000; loop/17/threadclock/user time=10 | user time, stock | OUT_OF_REACH",
                "native//rseq: user + CPU time/read=12 | source rseq | REACHED",
                "native//rseq: user + CPU time/read=12.01 | source rseq | MISSED",
                "native//rseq: user + CPU time/read=12 | source perf | NOT_MEASURED",
                "native//rseq: user + CPU time/read=12; native//rseq: times and waits/read=24 | waits with | REACHED",
                "native//rseq: user + CPU time/read=12; native//rseq: times and waits/read=24.1 | waits with | MISSED",
                "native//rseq: waits, after a switch, fd kept/read=3000 | after a switch | REACHED",
                "native//rseq: waits, after a switch, fd kept/read=3001 | after a switch | MISSED",
                "by-id/17/stock/user time, asleep=8000; by-id/17/attached/user time, asleep=400 | asleep, att | REACHED",
                "by-id/17/stock/user time, asleep=8000; by-id/17/attached/user time, asleep=410 | asleep, att | MISSED",
                "by-id/17/stock/user time, busy=7000; by-id/17/attached/user time, busy=400 | busy, att | OUT_OF_REACH",
                "by-id/17/stock/x, busy=1; array/17/-agentpath/user time@1000=500 | -agentpath, ns a thread | REACHED",
                "by-id/17/stock/x, busy=1; array/17/-agentpath/user time@1000=501 | -agentpath, ns a thread | MISSED",
                "by-id/17/stock/x, busy=1; lifecycle/17/stock/thread start + end=100;"
                        + "lifecycle/17/attached/thread start + end=105 | start + end, attached | REACHED",
                "by-id/17/stock/x, busy=1; lifecycle/17/stock/thread start + end=100;"
                        + "lifecycle/17/attached/thread start + end=106 | start + end, attached | MISSED",
                "by-id/17/stock/x, busy=1; attach/17/attached/attaching@5000=500 | attach to a JVM | REACHED",
                "by-id/17/stock/x, busy=1; attach/17/attached/attaching@5000=501 | attach to a JVM | MISSED",
                "jmh.average/22/library FFM user time/user time=16 | library FFM user time | REACHED",
                "jmh.average/22/library FFM user time/user time=16.1 | library FFM user time | MISSED",
                "jmh.average/21/library JNI user time/user time=22 | library JNI user time | REACHED",
                "jmh.average/21/library JNI user time/user time=22.1 | library JNI user time | MISSED",
                "jmh.average/25/library JNI user time/user time=10 | library FFM user time | NOT_MEASURED",
                "jmh.average/17/library JNI stopwatch/x=35 | library JNI stopwatch | REACHED",
                "jmh.average/17/library JNI stopwatch/x=35.1 | library JNI stopwatch | MISSED",
                "jmh.average/25/library FFM stopwatch/x=30; jmh.average/25/library FFM part/x=70 | than two | REACHED",
                "jmh.average/25/library FFM stopwatch/x=30; jmh.average/25/library FFM part/x=71 | than two | MISSED",
                "jmh.average/17/rdtsc/x=10; jmh.average/17/threadclock user time/x=11 | ThreadMXBean's | REACHED",
                "jmh.average/17/rdtsc/x=10; jmh.average/17/threadclock user time/x=11.1 | ThreadMXBean's | MISSED",
                "jmh.sample/25/empty/x@1=20; jmh.sample/25/empty/x@16=20; jmh.sample/25/library FFM part/x@1=100;"
                        + "jmh.sample/25/library FFM part/x@16=140 | 16 threads ÷ on one | REACHED",
                "jmh.sample/25/empty/x@1=20; jmh.sample/25/empty/x@16=20; jmh.sample/25/library FFM part/x@1=100;"
                        + "jmh.sample/25/library FFM part/x@16=141 | 16 threads ÷ on one | MISSED",
                "snapshot/17/library/snapshot@1000=0.6 | snapshot | REACHED",
                "snapshot/17/library/snapshot@1000=0.61 | snapshot | MISSED",
                "jmh.allocation/17/library JNI/user time=0.0001 | allocated | REACHED",
                "jmh.allocation/17/stock/user time=0; jmh.allocation/17/library JNI/user time=16 | allocated | MISSED",
                "engine.throughput/17/off/units of work@1=9; engine.cost/17/stock/units of work@1=4.9;"
                        + "engine.cost/17/threadclock/units of work@1=0.49 | throughput, stock | MISSED",
                "engine.throughput/17/off/units of work@1=9; engine.cost/17/stock/units of work@1=5.1;"
                        + "engine.cost/17/threadclock/units of work@1=0.49 | throughput, stock | REACHED",
                "virtual/25/stock/unmount + mount, yield=100; virtual/25/accounted/unmount + mount, yield=116"
                        + "| yield, accounted ÷ stock | MISSED",
                "virtual/25/stock/unmount + mount, yield=100; virtual/25/accounted/unmount + mount, yield=116"
                        + "| yield, accounted − stock | REACHED",
                "virtual/25/stock/reading of oneself=15; virtual/25/accounted/reading of oneself=30.1"
                        + "| reading of oneself | MISSED",
                "virtual.many/25/stock/parked, bytes of heap a thread@1e6=600;"
                        + "virtual.many/25/accounted/parked, bytes of heap a thread@1e6=664 | parked, bytes | REACHED",
                "virtual.many/25/stock/parked, bytes of heap a thread@1e6=600;"
                        + "virtual.many/25/accounted/parked, bytes of heap a thread@1e6=666 | parked, bytes | MISSED",
                "virtual.many/25/stock/ended, bytes of heap a thread@1e6=0;"
                        + "virtual.many/25/accounted/ended, bytes of heap a thread@1e6=64 | ended, bytes | MISSED",
                "virtual.splits.throughput/25/off/units of work@1=9;"
                        + "virtual.splits.cost/25/threadclock/units of work@1=0.51 | work on virtual threads | MISSED",
                "spans/25/stock/a span with one scope=345; spans/25/threadclock/a span with one scope=645"
                        + "| a span with one scope | REACHED",
                "spans/25/stock/a span with one scope=345; spans/25/threadclock/a span with one scope=646"
                        + "| a span with one scope | MISSED"
            })
    void areReachedOrMissed(String figures, String quantity, Verdict verdict) {
        List<Goal> all = new Goals(new MadeUpRun().add(figures).results()).all();
        assertThat(all)
                .filteredOn(goal -> goal.quantity().contains(quantity))
                .isNotEmpty()
                .first()
                .extracting(Goal::verdict)
                .isEqualTo(verdict);
    }

    @Test
    void wantNothingOfJdksThatParseNothing() {
        Results results = new MadeUpRun().add(LOOP.replace("17.0.15", "26.0.2")).results();
        assertThat(new Goals(results).all()).noneMatch(goal -> goal.quantity().contains("JDK 26"));
    }

    @Test
    void listWhatIsNotReached() {
        Goals goals = new Goals(new MadeUpRun().add(LOOP).results());
        assertThat(goals.areMissed()).isTrue();
        assertThat(goals.toText())
                .containsPattern("\\d+ of \\d+ goals are reached.\nMissed:\n")
                .contains("user time, stock ÷ this: 450× (450×–450×), wanted ≥ 700×\n")
                .contains("Not measured:\n", "  source perf: user + CPU time in C ÷ bare counter: not measured");
    }

    /** A run of bench --virtual has no reads in C. */
    @Test
    void wantNothingOfWhatAPartDoesNotMeasure() {
        Results kept = Results.kept(Path.of(".."), "bench-virtual").read();
        assertThat(new Goals(kept).all()).isNotEmpty().allMatch(goal -> goal.quantity()
                .matches("JDK .*(virtual thread|reading of oneself).*"));
    }
}
