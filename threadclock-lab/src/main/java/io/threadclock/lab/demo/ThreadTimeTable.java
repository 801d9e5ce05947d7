// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static io.threadclock.harness.TextTable.left;
import static io.threadclock.harness.TextTable.right;

import io.threadclock.lab.demo.message.LawBreaches;
import io.threadclock.lab.demo.message.PhaseResult;
import io.threadclock.harness.TextTable;
import java.util.List;

/**
 * The worker threads' own times over all phases with attribution, and how often their readings contradicted another.
 */
final class ThreadTimeTable {
    private final List<JdkMeasurement> measurements;
    private final List<Integer> workers;

    ThreadTimeTable(List<JdkMeasurement> measurements, List<Integer> workers) {
        this.measurements = measurements;
        this.workers = workers;
    }

    Section section() {
        TextTable table = new TextTable(
                left("JDK"),
                right("threads"),
                left("clock"),
                right("user s"),
                right("system s"),
                right("CPU s"),
                left("user + system = CPU"),
                right("user s by /proc"),
                right("readings that break a law"),
                right("units with user > CPU"),
                right("units with no user time"));
        for (JdkMeasurement measurement : measurements) {
            for (int count : workers) {
                for (Contender contender : Contender.values()) {
                    PhaseResult total = measurement.of(count, contender, true).total();
                    table.row(row(measurement.jdk().version(), count, contender, total));
                }
            }
        }
        return new Section(
                "The worker threads' time",
                table,
                List.of(
                        "System time is CPU − user, so the sum is equal as long as 0 ≤ user ≤ CPU; every pair of readings"
                                + " was checked for that, and for never going backward.",
                        "A unit of work takes about a tenth of a millisecond: a clock with steps of 10 ms charges most"
                                + " units nothing, and a few of them a hundred times too much."));
    }

    static String[] row(String jdk, int count, Contender contender, PhaseResult total) {
        LawBreaches breaches = total.breaches();
        long broken = breaches.outOfRange() + breaches.backward();
        return new String[] {
            jdk,
            Integer.toString(count),
            contender.toString(),
            Figure.seconds(total.userNs()),
            Figure.seconds(total.cpuNs() - total.userNs()),
            Figure.seconds(total.cpuNs()),
            breaches.outOfRange() == 0 && total.userNs() <= total.cpuNs() ? "yes" : "NO",
            Figure.seconds(total.kernelUserNs()),
            Figure.count(broken) + " of " + Figure.count(breaches.readings()),
            Figure.count(breaches.unitsUserAboveCpu()),
            Figure.percentOf(total.unitsWithoutUserTime(), total.units())
        };
    }
}
