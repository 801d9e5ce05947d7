// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.program.LivesOfThreads;
import io.threadclock.lab.program.LivesOfThreads.Work;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import java.util.List;

/**
 * What do accounts cost virtual threads? In one JVM with one carrier, with accounts and without by turns; and in one
 * with more carriers than CPUs what they read beside the wall time for which threads are mounted.
 */
public final class VirtualAccounts {
    private final Session session;
    private final Plan.OtherThreads plan;

    public VirtualAccounts(Session session) {
        this.session = session;
        this.plan = session.plan().otherThreads();
    }

    public void measure() {
        if (!OtherThreads.hasVirtualThreads(session)) {
            return;
        }
        session.stage("accounted virtual threads");
        for (int launch = 0; launch < plan.launches(); launch++) {
            measure(List.of(Work.YIELD, Work.PARK, Work.START, Work.READ), LivesOfThreads.ONE_CARRIER);
            measure(List.of(Work.UNIT), LivesOfThreads.BUSY_CARRIERS);
        }
    }

    private void measure(List<Work> works, String... jvmOptions) {
        try (Contenders jvm = session.start(List.of(Contender.LIBRARY), LivesOfThreads.class, jvmOptions)) {
            works.forEach(work -> measure(jvm, work));
        }
    }

    private void measure(Contenders jvm, Work work) {
        jvm.ask(new LivesOfThreads.Request(work, false, 3 * plan.warmupMs()));
        jvm.ask(new LivesOfThreads.Request(work, true, 3 * plan.warmupMs()));
        for (int round = 0; round < plan.startRounds() / plan.launches(); round++) {
            measure(jvm, work, Contest.STOCK);
            measure(jvm, work, Contest.ACCOUNTED);
        }
    }

    private void measure(Contenders jvm, Work work, String contender) {
        var request = new LivesOfThreads.Request(work, contender.equals(Contest.ACCOUNTED), plan.sliceMs());
        double ns = jvm.of(Contender.LIBRARY).ask(request, Double.class);
        session.add(Benchmarks.VIRTUAL, contender, work, null, "ns", ns);
    }
}
