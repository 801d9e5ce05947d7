// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.Exchange;
import io.threadclock.lab.NativeMake;
import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.program.LivesOfThreads;
import io.threadclock.lab.program.LivesOfThreads.Work;
import io.threadclock.lab.program.ManyVirtualThreads;
import io.threadclock.lab.program.MountedUnits;
import io.threadclock.lab.question.Plan.Rounds;
import io.threadclock.lab.question.Session.Row;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures what threads pay that do not read their times: the starts of platform threads and the yields of virtual ones,
 * with and without the agent, and the mounts and starts of virtual threads, with and without accounts by turns, in one JVM
 * with one carrier. It also compares virtual threads' readings of themselves with the wall time for which they are
 * mounted, where there are more busy carriers than CPUs.
 */
public final class ThreadLives {
    /** The kinds of work that mount a thread anew. */
    public static final List<Work> SWITCHES = List.of(Work.YIELD, Work.PARK, Work.SLEEP);

    /** Quantities of {@link Benchmarks#VIRTUAL_MANY}, of one thread. */
    public static final String START_AND_END = "started and ended, ns a thread";

    public static final String HEAP_PARKED = "parked, bytes of heap a thread";
    public static final String HEAP_ENDED = "ended, bytes of heap a thread";
    /** The same, of all. */
    public static final String SNAPSHOT =
            "parked, snapshot of the " + ManyVirtualThreads.MOST_CPU_TIME + " with the most CPU time, ms";

    private static final List<Work> MOUNTS =
            Stream.concat(SWITCHES.stream(), Stream.of(Work.START)).toList();
    /** The number of busy carriers on each CPU where most of them wait. */
    public static final int MOST_CARRIERS_PER_CPU = 8;

    private static final List<Integer> CARRIERS_PER_CPU = List.of(1, 2, 4, MOST_CARRIERS_PER_CPU);

    /** The quantity of {@link Benchmarks#MOUNTED}. */
    public static final String UNIT = "unit of work";

    private static final String UNLOCK = "-XX:+UnlockExperimentalVMOptions";
    private static final String WITHOUT_TRANSITIONS = "-XX:-DoJVMTIVirtualThreadTransitions";

    /** A million parked threads take up to 1.5 GB as long as their frames are not compiled. */
    private static final String ROOM = "-Xmx3g";

    private static final int PARKED_ROUNDS = 2;
    private static final long UNITS_MS = 60;
    private static final double NS_PER_MS = 1e6;

    private final Session session;
    private final Path home;
    private final Plan.OtherThreads plan;

    /** @param home the checkout */
    public ThreadLives(Session session, Path home) {
        this.session = session;
        this.home = home;
        this.plan = session.plan().otherThreads();
    }

    public void measure() {
        session.stage("thread starts");
        measureWithAgent(Work.START_AND_JOIN, Work.START_AND_JOIN.toString(), plan.startRounds());
        if (session.jdk().feature() < LivesOfThreads.OLDEST_WITH_VIRTUAL) {
            return;
        }
        for (int launch = 1; launch <= plan.launches(); launch++) {
            session.stage("virtual threads with the agent, JVMs " + launch + " of " + plan.launches());
            measureWithAgent(
                    Work.YIELD,
                    "virtual thread's yield",
                    plan.startRounds() / plan.launches(),
                    LivesOfThreads.ONE_CARRIER);
        }
        measureVirtual();
    }

    /** Virtual threads without the agent. */
    public void measureVirtual() {
        for (int launch = 1; launch <= plan.launches(); launch++) {
            session.stage("virtual threads, JVMs " + launch + " of " + plan.launches());
            measureWays();
            CARRIERS_PER_CPU.forEach(this::measureMounted);
        }
    }

    /** Very many virtual threads at once, with accounts and without in turn, in one JVM. */
    public void measureMany() {
        for (int launch = 1; launch <= plan.launches(); launch++) {
            session.stage("many virtual threads, JVM " + launch + " of " + plan.launches());
            try (Contenders jvm = session.start(List.of(Contender.LIBRARY), ManyVirtualThreads.class, ROOM)) {
                Exchange threads = jvm.of(Contender.LIBRARY);
                askMany(threads, true, false); // warms up
                for (int round = 0; round < plan.rounds().count(); round++) {
                    measureStarts(threads, false);
                    measureStarts(threads, true);
                }
                askMany(threads, false, true); // grows the JDK's tables, and has the frames compiled that are parked
                askMany(threads, true, true);
                for (int round = 0; round < PARKED_ROUNDS; round++) {
                    measureParked(threads, false);
                    measureParked(threads, true);
                }
            }
        }
    }

    private void measureStarts(Exchange threads, boolean isAccounted) {
        addMany(
                isAccounted,
                START_AND_END,
                "ns",
                askMany(threads, isAccounted, false).ns());
    }

    private void measureParked(Exchange threads, boolean isAccounted) {
        ManyVirtualThreads.Cost cost = askMany(threads, isAccounted, true);
        addMany(isAccounted, HEAP_PARKED, "B", cost.parkedBytes());
        addMany(isAccounted, HEAP_ENDED, "B", cost.endedBytes());
        addMany(isAccounted, SNAPSHOT, "ms", cost.snapshotNs() / NS_PER_MS);
    }

    private ManyVirtualThreads.Cost askMany(Exchange threads, boolean isAccounted, boolean areParked) {
        var request = new ManyVirtualThreads.Request(plan.virtualThreads(), isAccounted, areParked);
        return threads.ask(request, ManyVirtualThreads.Cost.class, Duration.ofMinutes(2));
    }

    private void addMany(boolean isAccounted, String quantity, String unit, double figure) {
        String contender = isAccounted ? Contest.ACCOUNTED : Contest.STOCK;
        session.add(Benchmarks.VIRTUAL_MANY, contender, quantity, plan.virtualThreads(), unit, figure);
    }

    /** The times of a virtual thread while most carriers wait for a CPU; nothing on a JDK without such threads. */
    public void measureMounted() {
        if (session.jdk().feature() >= LivesOfThreads.OLDEST_WITH_VIRTUAL) {
            session.stage("virtual threads");
            measureMounted(MOST_CARRIERS_PER_CPU);
        }
    }

    private void measureWithAgent(Work work, String quantity, int rounds, String... jvmOptions) {
        try (Contenders contenders =
                session.startAndAttach(LivesOfThreads.class, new LivesOfThreads.Request(work, false, 1), jvmOptions)) {
            session.askInTurn(
                    contenders,
                    new Rounds(
                            rounds, plan.rounds().sliceMs(), 5 * plan.rounds().warmupMs()),
                    ms -> new LivesOfThreads.Request(work, false, ms),
                    new Row(Benchmarks.LIFECYCLE, quantity, null, "ns", 1));
        }
    }

    /** A way to have the CPU time of virtual threads, or none, and the JVM that has it. */
    private record Way(String contender, Exchange jvm, boolean isAccounted) {
        double ask(Work work, long durationMs) {
            return jvm.ask(new LivesOfThreads.Request(work, isAccounted, durationMs), Double.class);
        }
    }

    private void measureWays() {
        String agent = session.agent().jvmOption("virtual");
        boolean canHang = session.jdk().canHangWithoutTransitions();
        try (Contenders jvm = start(Contender.LIBRARY);
                Contenders accounting = start(Contender.STOCK, agent);
                Contenders run = canHang ? null : start(Contender.STOCK, agent, UNLOCK, WITHOUT_TRANSITIONS);
                Contenders listening = start(Contender.STOCK, "-agentpath:" + new NativeMake(home).mountEvents())) {
            Way stock = new Way(Contest.STOCK, jvm.of(Contender.LIBRARY), false);
            Way accounted = new Way(Contest.ACCOUNTED, jvm.of(Contender.LIBRARY), true);
            Way byAgent = new Way(Contest.BY_AGENT, accounting.of(Contender.STOCK), false);
            Way events = new Way(Contest.MOUNT_EVENTS, listening.of(Contender.STOCK), false);
            List<Way> ways = new ArrayList<>(List.of(stock, accounted, byAgent, events));
            if (run != null) {
                ways.add(2, new Way(Contest.BY_RUN, run.of(Contender.STOCK), false));
            }
            MOUNTS.forEach(work -> measure(work, ways));
            measure(Work.READ, List.of(stock, accounted));
        }
    }

    private Contenders start(Contender contender, String... jvmOptions) {
        return session.start(
                List.of(contender),
                LivesOfThreads.class,
                Stream.of(LivesOfThreads.ONE_CARRIER, jvmOptions)
                        .flatMap(Stream::of)
                        .toArray(String[]::new));
    }

    private void measure(Work work, List<Way> ways) {
        ways.forEach(way -> way.ask(work, 3 * plan.rounds().warmupMs()));
        for (int round = 0; round < plan.startRounds() / plan.launches(); round++) {
            for (Way way : ways) {
                double ns = way.ask(work, plan.rounds().sliceMs());
                session.add(Benchmarks.VIRTUAL, way.contender(), work, null, "ns", ns);
            }
        }
    }

    private void measureMounted(int carriersPerCpu) {
        try (Contenders jvm =
                session.start(List.of(Contender.LIBRARY), MountedUnits.class, MountedUnits.jvmOption(carriersPerCpu))) {
            Exchange units = jvm.of(Contender.LIBRARY);
            var request = new MountedUnits.Request(UNITS_MS * carriersPerCpu);
            units.ask(request, MountedUnits.Cost.class);
            for (int round = 0; round < plan.rounds().count(); round++) {
                MountedUnits.Cost cost = units.ask(request, MountedUnits.Cost.class);
                addMounted(Contest.ACCOUNT, carriersPerCpu, cost.account());
                addMounted(Contest.MOUNTED, carriersPerCpu, cost.mounted());
                addMounted(Contest.CARRIERS, carriersPerCpu, cost.carriers());
            }
        }
    }

    private void addMounted(String clock, int carriersPerCpu, double ns) {
        session.add(Benchmarks.MOUNTED, clock, UNIT, carriersPerCpu, "ms", ns / NS_PER_MS);
    }
}
