// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.report.Goals.Goal;
import io.threadclock.lab.report.Goals.Verdict;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code bench --check} holds a run against: each aim just missed, each promise just broken, and one of each other verdict. */
class GoalsTest {
    /** Of a machine with 2 CPUs whose counter takes 10 ns, and a system call 200 ns. */
    private static final String MACHINE = "native//bare counter (rdtsc)/read=10;"
            + "native//CLOCK_THREAD_CPUTIME_ID/read=200; native//asleep: SCHED clock id/read=200;"
            + "native//busy: SCHED clock id/read=410;";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "loop/17/stock/user time=9000; loop/17/threadclock/user time=12 | user time, stock | REACHED",
                "loop/17/stock/user time=4000; loop/17/threadclock/user time=10 | user time, stock | OUT_OF_REACH",
                "native//rseq: user + CPU time/read=12 | source perf | NOT_MEASURED",
                "loop/17/stock/user time=8400; loop/17/threadclock/user time=12.1 | user time, stock | MISSED",
                "native//rseq: user + CPU time/read=12.01 | source rseq | MISSED",
                "native//rseq: user + CPU time/read=12; native//rseq: times and waits/read=24.1 | waits with | MISSED",
                "native//rseq: waits, after a switch, fd kept/read=3001 | after a switch | MISSED",
                "by-id/17/stock/user time, asleep=8000; by-id/17/attached/user time, asleep=410 | asleep, att | MISSED",
                "by-id/17/stock/x, busy=1; array/17/-agentpath/user time@1000=501 | -agentpath, ns a thread | MISSED",
                "by-id/17/stock/x, busy=1; lifecycle/17/stock/thread start + end=100;"
                        + "lifecycle/17/attached/thread start + end=106 | start + end, attached | MISSED",
                "by-id/17/stock/x, busy=1; attach/17/attached/attaching@5000=501 | attach to a JVM | MISSED",
                "jmh.average/22/library FFM user time/user time=16.1 | library FFM user time | MISSED",
                "jmh.average/21/library JNI user time/user time=22.1 | library JNI user time | MISSED",
                "jmh.average/17/library JNI stopwatch/x=35.1 | library JNI stopwatch | MISSED",
                "jmh.average/25/library FFM stopwatch/x=30; jmh.average/25/library FFM part/x=71 | than two | MISSED",
                "jmh.average/17/rdtsc/x=10; jmh.average/17/threadclock user time/x=11.1 | ThreadMXBean's | MISSED",
                "jmh.sample/25/empty/x@1=20; jmh.sample/25/empty/x@16=20; jmh.sample/25/library FFM part/x@1=100;"
                        + "jmh.sample/25/library FFM part/x@16=141 | 16 threads ÷ on one | MISSED",
                "snapshot/17/library/snapshot@1000=0.61 | snapshot | MISSED",
                "jmh.allocation/17/stock/user time=0; jmh.allocation/17/library JNI/user time=16 | allocated | BROKEN",
                "engine.throughput/17/off/units of work@1=9; engine.cost/17/stock/units of work@1=4.9;"
                        + "engine.cost/17/threadclock/units of work@1=0.49 | throughput, stock | MISSED",
                "virtual/25/stock/unmount + mount, yield=100; virtual/25/accounted/unmount + mount, yield=116"
                        + "| yield, accounted ÷ stock | MISSED",
                "virtual/25/stock/unmount + mount, yield=100; virtual/25/accounted/unmount + mount, yield=131"
                        + "| yield, accounted − stock | MISSED",
                "virtual/25/stock/reading of oneself=15; virtual/25/accounted/reading of oneself=30.1"
                        + "| reading of oneself | MISSED",
                "virtual.many/25/stock/parked, bytes of heap a thread@1e6=600;"
                        + "virtual.many/25/accounted/parked, bytes of heap a thread@1e6=666 | parked, bytes | MISSED",
                "virtual.many/25/stock/ended, bytes of heap a thread@1e6=0;"
                        + "virtual.many/25/accounted/ended, bytes of heap a thread@1e6=64 | ended, bytes | BROKEN",
                "virtual.splits.throughput/25/off/units of work@1=9;"
                        + "virtual.splits.cost/25/threadclock/units of work@1=0.51 | work on virtual threads | MISSED",
                "spans/25/stock/a span with one scope=345; spans/25/threadclock/a span with one scope=646"
                        + "| a span with one scope | MISSED",
                "loop/17/stock/user time=4900; loop/17/threadclock/user time=100 | user time, stock | BROKEN",
                "loop/17/stock/user time=490; loop/17/threadclock/user time=100 | user time, stock | OUT_OF_REACH",
                "loop/25/stock/CPU time=490; loop/25/threadclock/CPU time=100 | CPU time, stock | BROKEN",
                "loop/25/stock/user time=990; loop/25/source=clock/user time=500 | source=clock | BROKEN",
                "loop/26/stock/user time=290; loop/26/threadclock/user time=100 | user time, stock | BROKEN",
                "loop/26/stock/user time=310; loop/26/threadclock/user time=100 | user time, stock | MISSED",
                "by-id/17/stock/user time, asleep=1960; by-id/17/attached/user time, asleep=400"
                        + "| user time of another thread by id, asleep, att | BROKEN",
                "by-id/17/stock/x, busy=1; array/17/stock/user time@1000=1960;"
                        + "array/17/-agentpath/user time@1000=400 | in one call, -agentpath, stock | BROKEN",
                "by-id/25/stock/x, busy=1; lifecycle/25/stock/virtual thread's yield=100;"
                        + "lifecycle/25/attached/virtual thread's yield=151 | yield, attached | BROKEN",
                "native//rseq: user + CPU time/read=20.1 | source rseq | BROKEN",
                "memory/26/threadclock/rseq descriptor@1=131073; memory/26/threadclock/rseq descriptor@1001=131073"
                        + "| memory of the process | BROKEN",
                "memory/26/threadclock/rseq descriptor@1=0; memory/26/threadclock/rseq descriptor@1001=513000"
                        + "| memory of a thread | BROKEN",
                "memory/26/threadclock/rseq descriptor@1=0; memory/26/threadclock/rseq descriptor@1001=257000"
                        + "| memory of a thread | MISSED",
                "engine.throughput/17/off/units of work@1=9; engine.cost/17/stock/units of work@1=20;"
                        + "engine.cost/17/threadclock/units of work@1=3.1 | share of throughput: 3 | BROKEN",
                "virtual/25/stock/unmount + mount, yield=100; virtual/25/accounted/unmount + mount, yield=401"
                        + "| yield, accounted ÷ stock | BROKEN",
                "virtual/25/stock/reading of oneself=15; virtual/25/accounted/reading of oneself=61"
                        + "| reading of oneself | BROKEN",
                "virtual.many/25/stock/parked, bytes of heap a thread@1e6=600;"
                        + "virtual.many/25/accounted/parked, bytes of heap a thread@1e6=681 | parked, bytes | BROKEN",
                "virtual.splits.throughput/25/off/units of work@1=9;"
                        + "virtual.splits.cost/25/threadclock/units of work@1=15.1 | work on virtual threads | BROKEN",
                "spans/25/stock/a span with one scope=345; spans/25/threadclock/a span with one scope=2346"
                        + "| a span with one scope | BROKEN"
            })
    void areReachedMissedOrBroken(String figures, String quantity, Verdict verdict) {
        Goals goals = new Goals(results(MACHINE + figures));
        assertThat(goals.all())
                .filteredOn(goal -> goal.toString().contains(quantity))
                .isNotEmpty()
                .first()
                .extracting(Goal::verdict)
                .isEqualTo(verdict);
        assertThat(goals.areBroken()).isEqualTo(verdict == Verdict.BROKEN);
    }

    /** @param figures {@code benchmark/JDK/contender/quantity@parameter=ns}, separated by semicolons */
    private static Results results(String figures) {
        List<Measurement> measured = new ArrayList<>();
        for (String figure : figures.split("; *")) {
            int equals = figure.lastIndexOf('=');
            double ns = Double.parseDouble(figure.substring(equals + 1));
            String[] words = figure.substring(0, equals).split("[/@]");
            Double parameter = words.length == 4 ? null : Double.valueOf(words[4]);
            Subject subject = new Subject(words[0], words[1], words[2], words[3], parameter);
            measured.add(
                    words[0].equals("jmh.sample")
                            ? Measurement.of(subject, "ns", 1, ns, Map.of(50.0, ns))
                            : Measurement.of(subject, "ns", List.of(ns)));
        }
        Origin origin = new Origin(
                "1.0", "./threadclock bench", "2026-11-21T10:00:00Z", 90, "CPU", true, 2, "6.18", 250L, "0", List.of());
        return new Results(origin, measured, List.of());
    }
}
