// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Exchange;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.ScratchDirectory;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.program.TickTrapProgram;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.ResultsDraft;
import java.time.Duration;
import java.util.Optional;

/**
 * How much user time does each way to read it show for bursts of pure user work, by the phase of the clock tick at
 * which they begin? Measured on one JDK.
 */
public record TickTrap(Jdk jdk, AgentLibrary agent, Progress progress, ResultsDraft draft) {
    public static final int PHASES = 16;
    /** Quantities of {@link Benchmarks#TICK_TRAP}; their parameter is the phase of the tick, in ns. */
    public static final String BURSTS = "bursts";

    public static final String USER_TIME = "user time";
    public static final String CPU_TIME = "CPU time";

    private static final long START_MS = 1500;

    /** A way to read the user time of the calling thread. */
    public enum Way {
        UP_TO_JDK_25("JDK ≤ 25"),
        JDK_26("JDK 26"),
        THREADCLOCK("threadclock");

        /** From this version on, the stock JDK reads the tick counter instead of /proc. */
        private static final int TICKS_SINCE = 26;

        private final String title;

        Way(String title) {
            this.title = title;
        }

        @Override
        public String toString() {
            return title;
        }

        /** The agent's options with which a JDK reads in this way; empty if it does so by itself. */
        Optional<String> agentOptions(int feature) {
            return switch (this) {
                case UP_TO_JDK_25 -> feature < TICKS_SINCE ? Optional.empty() : Optional.of("source=proc");
                case JDK_26 -> feature < TICKS_SINCE ? Optional.of("source=ticks") : Optional.empty();
                case THREADCLOCK -> Optional.of("source=auto");
            };
        }
    }

    /** The approximate time: a burst takes a tick. */
    public static long durationMs(long tickNs, int bursts) {
        return START_MS + workMs(tickNs, bursts) * Way.values().length;
    }

    private static long workMs(long tickNs, int bursts) {
        return Duration.ofNanos(tickNs * bursts * PHASES).toMillis();
    }

    /**
     * @param bursts at each phase of the tick
     * @throws io.threadclock.harness.SetupException if a program does not run through, or the agent refuses
     */
    public void measure(long tickNs, int bursts) {
        for (Way way : Way.values()) {
            progress.stage("tick trap: " + way);
            measure(way, tickNs, bursts);
        }
    }

    private void measure(Way way, long tickNs, int bursts) {
        try (ScratchDirectory scratch = ScratchDirectory.create("threadclock-lab-");
                Exchange child = new Exchange(
                        "the tick trap on " + jdk,
                        ProgramJvm.on(jdk, scratch.path())
                                .jvmOptions(way.agentOptions(jdk.feature()).map(agent::jvmOption).stream()
                                        .toList())
                                .mainClass(TickTrapProgram.class))) {
            TickTrapProgram.Answer answer = child.ask(
                    new TickTrapProgram.Request(tickNs, PHASES, bursts),
                    TickTrapProgram.Answer.class,
                    Duration.ofMillis(workMs(tickNs, bursts)));
            Contenders.requireAgent(child);
            answer.phases().forEach(phase -> add(way, phase));
        }
    }

    private void add(Way way, TickTrapProgram.Phase phase) {
        draft.add(subject(way, BURSTS, phase), "1", phase.bursts());
        draft.add(subject(way, USER_TIME, phase), "ns", phase.userNs());
        draft.add(subject(way, CPU_TIME, phase), "ns", phase.cpuNs());
    }

    private Subject subject(Way way, String quantity, TickTrapProgram.Phase phase) {
        return new Subject(Benchmarks.TICK_TRAP, jdk.version(), way.toString(), quantity, (double) phase.offsetNs());
    }
}
