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
 * What does a read cost, by JMH? JMH has all forks of a benchmark follow one another, which a machine whose speed drifts
 * is not fair to: so each round is a run of JMH's of one fork, and all contenders have theirs before the next round.
 */
public final class JmhReadCost {
    private static final List<Double> PERCENTILES = List.of(0.0, 50.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0);

    /** Of a measurement by which a read allocates. */
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
     * Measures all that the plan has.
     *
     * @param home of the checkout, where the benchmarks' small JNI library is built
     * @param log to which all that JMH prints is added, none of which goes to the terminal
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
            // JMH's own share grows where a busy machine lets few reads be done; what is the path's own stays.
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

    /** The JVM was left as it was: the figure would be stock's. */
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
