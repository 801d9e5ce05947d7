// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Exchange;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.program.KernelClock;
import io.threadclock.lab.program.SegmentLoad;
import io.threadclock.lab.program.SegmentTruth.Segment;
import io.threadclock.lab.program.SegmentsOfThreads;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.ResultsDraft;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** How far is the account of a virtual thread from the kernel's clock of its carriers, segment by segment and in all? */
public final class SegmentAccuracy {
    /** The first JDK that has virtual threads. */
    static final int OLDEST_FEATURE = 21;

    /** The CPU time of a segment by its account. */
    public static final String SEGMENT = "segment";
    /** How far the account is beyond the kernel's readings on both sides of each end. */
    public static final String ERROR = "error";
    /** How far it is from their middle. */
    public static final String FROM_MIDDLE = "from the middle";
    /** How far they are apart. */
    public static final String APART = "readings apart";
    /** All accounts and the carriers' rest, less the carriers' CPU time. */
    public static final String CONSERVATION = "conservation";

    /** How exactly that is known. */
    public static final String SPREAD = "spread";

    private static final int PIECES = 250;
    private static final int QUICK_PIECES = 25;
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final AgentLibrary agent;
    private final Path bareClocks;
    private final ResultsDraft draft;

    SegmentAccuracy(AgentLibrary agent, Path bareClocks, ResultsDraft draft) {
        this.agent = agent;
        this.bareClocks = bareClocks;
        this.draft = draft;
    }

    void measure(Jdk jdk, boolean quick, Progress progress) {
        try (Contenders jvm = start(jdk)) {
            Exchange threads = jvm.of(Contender.LIBRARY);
            progress.stage(jdk + ": segments of virtual threads");
            for (SegmentLoad load : SegmentLoad.values()) {
                run(threads, load, QUICK_PIECES);
            }
            for (SegmentLoad load : SegmentLoad.values()) {
                progress.step(load.toString());
                add(jdk, load, run(threads, load, quick ? QUICK_PIECES : PIECES));
            }
        }
    }

    private Contenders start(Jdk jdk) {
        return new Contenders(
                jdk,
                agent,
                List.of(Contender.LIBRARY),
                SegmentsOfThreads.class,
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-D" + KernelClock.FILE_PROPERTY + "=" + bareClocks);
    }

    private static SegmentsOfThreads.Answer run(Exchange threads, SegmentLoad load, int pieces) {
        return threads.ask(new SegmentsOfThreads.Request(load, pieces), SegmentsOfThreads.Answer.class, LONGEST);
    }

    private void add(Jdk jdk, SegmentLoad load, SegmentsOfThreads.Answer answer) {
        addNs(jdk, load, answer, SEGMENT, segment -> segment.accountNs() / segment.count());
        addNs(jdk, load, answer, ERROR, Segment::errorNs);
        addNs(jdk, load, answer, FROM_MIDDLE, Segment::fromMiddleNs);
        addNs(jdk, load, answer, APART, Segment::apartNs);
        Map<String, Double> percent =
                Map.of(Measurement.MEAN, 100 * answer.unconserved(), SPREAD, 100 * answer.uncertain());
        draft.add(new Measurement(subject(jdk, load, CONSERVATION), "%", List.of(), 1, percent, null));
    }

    private void addNs(
            Jdk jdk, SegmentLoad load, SegmentsOfThreads.Answer answer, String quantity, ToLongFunction<Segment> ns) {
        Histogram histogram = new Histogram(3);
        answer.segments().forEach(segment -> histogram.recordValue(ns.applyAsLong(segment)));
        draft.add(Measurement.of(subject(jdk, load, quantity), "ns", histogram));
    }

    static Subject subject(Jdk jdk, SegmentLoad load, String quantity) {
        return new Subject(Benchmarks.SEGMENTS, jdk.version(), Contest.ACCOUNT, quantity, null, load.toString());
    }
}
