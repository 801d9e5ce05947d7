// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.NativeMake;
import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.question.JmhForks.Outcome;
import io.threadclock.lab.question.JmhPlan.Part;
import io.threadclock.lab.question.JmhTasks.JmhTask;
import io.threadclock.lab.question.JmhTasks.JmhTask.Measure;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.ResultsDraft;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.openjdk.jmh.util.MultisetStatistics;
import org.openjdk.jmh.util.Statistics;

/**
 * Measures what a read costs, by JMH. JMH runs all forks of a benchmark one after the other, which is not fair if the
 * machine's speed drifts. Therefore each round is a run of one fork, and all contenders run theirs before the next
 * round.
 */
public final class JmhReadCost {
    private static final List<Double> PERCENTILES = List.of(0.0, 50.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0);

    /** Repetitions of a measurement in which a read seems to allocate. */
    private static final int REPETITIONS = 3;

    private final Session session;
    private final ResultsDraft draft;
    private final Map<Subject, MultisetStatistics> samples = new LinkedHashMap<>();
    private final Set<Contender> refused = new HashSet<>();

    public JmhReadCost(Session session) {
        this.session = session;
        this.draft = session.draft();
    }

    /**
     * Measures everything in the plan.
     *
     * @param home the checkout, in which the benchmarks' small JNI library is built
     * @param log receives all output of JMH, which is not shown on the terminal
     * @throws SetupException if a benchmark fails, or the log cannot be written
     */
    public void measure(Path home, Path log) {
        if (!JmhTasks.hasFfm()) {
            draft.note("The library has no FFM binding: a JDK older than " + JmhTasks.OLDEST_WITH_FFM + " built it.");
        }
        Path bareClocks = new NativeMake(home).bareClocks();
        JmhForks forks = new JmhForks(session.jdk(), session.agent(), bareClocks, log);
        session.plan().jmh().parts(session.jdk()).forEach(part -> measure(part, forks));
        samples.forEach((subject, all) -> draft.add(distribution(subject, all)));
    }

    static void addTo(MultisetStatistics all, Statistics ofFork) {
        Iterator<Map.Entry<Double, Long>> each = ofFork.getRawData();
        while (each.hasNext()) {
            Map.Entry<Double, Long> sample = each.next();
            all.addValue(sample.getKey(), sample.getValue());
        }
    }

    static Measurement distribution(Subject subject, Statistics all) {
        TreeMap<Double, Double> percentiles = new TreeMap<>();
        PERCENTILES.forEach(percentile -> percentiles.put(percentile, all.getPercentile(percentile)));
        return Measurement.of(subject, "ns", all.getN(), all.getMean(), percentiles);
    }

    private void measure(Part part, JmhForks forks) {
        session.stage("JMH, " + part.title());
        for (int round = 0; round < part.length().forks(); round++) {
            for (JmhTask task : part.inTurn(round)) {
                if (!refused.contains(task.contender())) {
                    session.progress().step(task.label());
                    run(task, part, forks);
                }
            }
        }
        part.tasks().stream().filter(JmhTask::isControl).forEach(this::checkControl);
    }

    private void run(JmhTask task, Part part, JmhForks forks) {
        Outcome outcome = forks.run(task, part.length());
        add(outcome, part);
        if (task.measure() == Measure.ALLOCATION && !task.isControl()) {
            // JMH's own share grows if a busy machine allows few reads; the path's own allocation stays.
            for (int i = 0; i < REPETITIONS && AllocationCheck.isBreach(outcome.figures()); i++) {
                outcome = forks.run(task, part.length());
                add(outcome, part);
            }
        }
    }

    private void add(Outcome outcome, Part part) {
        outcome.agentLines().forEach(draft::note);
        if (AgentLibrary.refusalIn(outcome.agentLines()).isPresent()) {
            refuse(outcome.task().contender(), part);
            return;
        }
        Subject subject = outcome.task().subject();
        switch (outcome.task().measure()) {
            case MEAN_TIME -> outcome.figures().forEach(ns -> draft.add(subject, "ns", ns));
            case ALLOCATION -> outcome.figures().forEach(bytes -> draft.add(subject, "B", bytes));
            case TIME_OF_SAMPLES ->
                addTo(samples.computeIfAbsent(subject, absent -> new MultisetStatistics()), outcome.samples());
        }
    }

    /** The agent has left the JVM as it was, so the result would be stock's. */
    private void refuse(Contender contender, Part part) {
        refused.add(contender);
        part.tasks().stream().filter(task -> task.contender().equals(contender)).forEach(task -> {
            draft.take(task.subject());
            samples.remove(task.subject());
        });
    }

    private void checkControl(JmhTask control) {
        Optional<Measurement> measured = draft.take(control.subject());
        if (measured.filter(AllocationCheck::isLive).isEmpty()) {
            throw new SetupException("Measuring what a reading as an object allocates on " + session.jdk() + ": "
                    + measured.map(each -> each.spread().median() + " B").orElse("nothing was measured")
                    + ", though it is an object. JMH's gc profiler does not work there: leave this JDK out of --jdks.");
        }
    }
}
