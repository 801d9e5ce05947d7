// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import io.threadclock.lab.jmhrun.Task.Measure;
import io.threadclock.lab.results.Series;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.SetupException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the JMH benchmarks on one JDK. JMH has all forks of a benchmark follow one another, which a machine whose speed
 * drifts is not fair to: so each round is a run of JMH's of one fork, and all contenders have theirs before the next
 * round.
 */
public final class JmhRun {
    /** Of a measurement by which a read allocates. */
    private static final int REPETITIONS = 3;

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final JmhPlan plan;
    private final Progress progress;
    private final Figures figures = new Figures();
    private final Set<String> notes = new LinkedHashSet<>();
    private final Set<Clock> refused = new HashSet<>();

    public JmhRun(Jdk jdk, AgentLibrary agent, JmhPlan plan, Progress progress) {
        this.jdk = jdk;
        this.agent = agent;
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * Measures all that the plan has.
     *
     * @param home of the checkout, where the benchmarks' small JNI library is built
     * @param log to which all that JMH prints is added, none of which goes to the terminal
     * @throws SetupException if a benchmark fails, or the log cannot be written
     */
    public JmhMeasurement measure(Path home, Path log) {
        if (!Library.hasFfm()) {
            notes.add("The library has no FFM binding: a JDK older than " + Library.OLDEST_WITH_FFM + " built it.");
        }
        Forks forks = new Forks(jdk, agent, BareClockLibrary.in(home), log);
        plan.parts(jdk).forEach(part -> measure(part, forks));
        return new JmhMeasurement(figures.series(), figures.distributions(), notes.stream().toList());
    }

    private void measure(Part part, Forks forks) {
        progress.stage(jdk + ": JMH, " + part.title());
        for (int round = 0; round < part.length().forks(); round++) {
            for (Task task : part.inTurn(round)) {
                if (!refused.contains(task.clock())) {
                    progress.step(task.label());
                    run(task, part, forks);
                }
            }
        }
        part.tasks().stream().filter(Task::isControl).forEach(this::checkControl);
    }

    private void run(Task task, Part part, Forks forks) {
        Outcome outcome = forks.run(task, part.length());
        add(outcome, part);
        if (task.measure() == Measure.ALLOCATION && !task.isControl()) {
            // JMH's own share grows where a busy machine lets few reads be done; what is the path's own stays.
            for (int i = 0; i < REPETITIONS && AllocationCheck.isBreach(outcome.figures()); i++) {
                outcome = forks.run(task, part.length());
                add(outcome, part);
            }
        }
    }

    private void add(Outcome outcome, Part part) {
        notes.addAll(outcome.agentLines());
        if (AgentLibrary.refusalIn(outcome.agentLines()).isPresent()) {
            refuse(outcome.task().clock(), part);
            return;
        }
        Task task = outcome.task();
        switch (task.measure()) {
            case MEAN_TIME -> figures.add(task.subject(), "ns", outcome.figures());
            case ALLOCATION -> figures.add(task.subject(), "B", outcome.figures());
            case TIME_OF_SAMPLES -> figures.addSamples(task.subject(), outcome.samples());
        }
    }

    /** The JVM was left as it was: the figure would be stock's. */
    private void refuse(Clock clock, Part part) {
        refused.add(clock);
        part.tasks().stream()
                .filter(task -> task.clock().equals(clock))
                .forEach(task -> figures.forget(task.subject()));
    }

    private void checkControl(Task control) {
        Optional<Series> measured = figures.take(control.subject());
        if (measured.filter(AllocationCheck::isLive).isEmpty()) {
            throw new SetupException("Measuring what a reading as an object allocates on " + jdk + ": "
                    + measured.map(each -> each.spread().median() + " B").orElse("nothing was measured")
                    + ", though it is an object. JMH's gc profiler does not work there: leave this JDK out of --jdks.");
        }
    }
}
