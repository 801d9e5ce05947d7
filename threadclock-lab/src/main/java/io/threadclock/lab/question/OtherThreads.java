// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.program.TimeOfAnother;
import io.threadclock.lab.program.TimeOfAnother.Neighbour;
import io.threadclock.lab.program.TimesOfMany;
import io.threadclock.lab.program.TimesOfMany.Way;
import io.threadclock.lab.results.Benchmarks;
import java.util.List;

/** What does it cost to ask about other threads: one by its id, many in one call, or all by a snapshot? */
public final class OtherThreads {
    /** Ascending: a JVM's threads are there to stay. */
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

    private void measureById() {
        var first = new TimeOfAnother.Request(false, Neighbour.ASLEEP, 1);
        try (Contenders contenders = session.startAndAttach(TimeOfAnother.class, first)) {
            for (Neighbour neighbour : Neighbour.values()) {
                for (boolean isUserTime : List.of(true, false)) {
                    contenders.ask(new TimeOfAnother.Request(isUserTime, neighbour, plan.warmupMs()));
                    contenders.requireAgents();
                    String quantity = (isUserTime ? "user time, " : "CPU time, ") + neighbour;
                    var request = new TimeOfAnother.Request(isUserTime, neighbour, plan.sliceMs());
                    for (int round = 0; round < plan.rounds(); round++) {
                        session.askInTurn(contenders, round, request, Benchmarks.BY_ID, quantity, null);
                    }
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
                    contenders.ask(new TimesOfMany.Request(way, threads, plan.warmupMs()));
                    contenders.requireAgents();
                    var request = new TimesOfMany.Request(way, threads, plan.sliceMs());
                    for (int round = 0; round < plan.rounds(); round++) {
                        measureArray(contenders, round, request);
                    }
                }
            }
        }
    }

    private void measureArray(Contenders contenders, int round, TimesOfMany.Request request) {
        for (Contender contender : contenders.inTurn(round)) {
            double ns = contenders.of(contender).ask(request, Double.class) / request.threads();
            session.add(Benchmarks.ARRAY, contender.title(), request.way(), request.threads(), "ns", ns);
        }
    }

    private void measureSnapshots() {
        Plan.Snapshots snapshots = session.plan().snapshots();
        try (Contenders contenders = session.start(List.of(Contender.LIBRARY), TimesOfMany.class)) {
            for (int threads : SIZES) {
                session.progress().step(threads + " threads");
                contenders.ask(new TimesOfMany.Request(Way.SNAPSHOT, threads, snapshots.warmupMs()));
                var request = new TimesOfMany.Request(Way.SNAPSHOT, threads, snapshots.sliceMs());
                for (int round = 0; round < snapshots.rounds(); round++) {
                    double ms = contenders.of(Contender.LIBRARY).ask(request, Double.class) / NS_PER_MS;
                    session.add(Benchmarks.SNAPSHOT, Contender.LIBRARY.title(), Way.SNAPSHOT, threads, "ms", ms);
                }
            }
        }
    }
}
