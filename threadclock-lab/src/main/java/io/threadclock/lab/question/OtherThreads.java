// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.program.TimeOfAnother;
import io.threadclock.lab.program.TimeOfAnother.Neighbour;
import io.threadclock.lab.program.TimesOfMany;
import io.threadclock.lab.program.TimesOfMany.Way;
import io.threadclock.lab.question.Session.Row;
import io.threadclock.lab.results.Benchmarks;
import java.util.List;

/** Measures what it costs to read other threads: one by its id, many in one call, or all by a snapshot. */
public final class OtherThreads {
    /** The sizes are ascending, because a JVM's threads stay. */
    private static final List<Integer> SIZES = List.of(10, 100, 1000, 5000);

    private static final double NS_PER_MS = 1e6;

    private final Session session;
    private final Plan.OtherThreads plan;

    public OtherThreads(Session session) {
        this.session = session;
        this.plan = session.plan().otherThreads();
    }

    public void measure() {
        for (int launch = 1; launch <= plan.launches(); launch++) {
            session.stage("threads by id, JVMs " + launch + " of " + plan.launches());
            measureById();
        }
        session.stage("arrays of threads");
        measureArrays();
        session.stage("snapshots");
        measureSnapshots();
    }

    /** One thread by its id, once. */
    public void measureById() {
        var first = new TimeOfAnother.Request(false, Neighbour.ASLEEP, 1);
        try (Contenders contenders = session.startAndAttach(TimeOfAnother.class, first)) {
            for (Neighbour neighbour : Neighbour.values()) {
                for (boolean isUserTime : List.of(true, false)) {
                    String quantity = (isUserTime ? "user time, " : "CPU time, ") + neighbour;
                    session.askInTurn(
                            contenders,
                            plan.rounds(),
                            ms -> new TimeOfAnother.Request(isUserTime, neighbour, ms),
                            new Row(Benchmarks.BY_ID, quantity, null, "ns", 1));
                }
            }
        }
    }

    private void measureArrays() {
        var first = new TimesOfMany.Request(Way.CPU_TIME, 1, 1);
        try (Contenders contenders = session.startAndAttach(TimesOfMany.class, first)) {
            for (int threads : SIZES) {
                session.progress().step(threads + " threads");
                for (Way way : List.of(Way.USER_TIME, Way.CPU_TIME)) {
                    session.askInTurn(
                            contenders,
                            plan.rounds(),
                            ms -> new TimesOfMany.Request(way, threads, ms),
                            new Row(Benchmarks.ARRAY, way, threads, "ns", threads));
                }
            }
        }
    }

    private void measureSnapshots() {
        try (Contenders contenders = session.start(List.of(Contender.LIBRARY), TimesOfMany.class)) {
            for (int threads : SIZES) {
                session.progress().step(threads + " threads");
                session.askInTurn(
                        contenders,
                        session.plan().snapshots(),
                        ms -> new TimesOfMany.Request(Way.SNAPSHOT, threads, ms),
                        new Row(Benchmarks.SNAPSHOT, Way.SNAPSHOT, threads, "ms", NS_PER_MS));
            }
        }
    }
}
