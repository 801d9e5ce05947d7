// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import io.threadclock.CpuQuota;
import io.threadclock.cli.threads.ProcessEnded;
import io.threadclock.cli.threads.ProcessSilent;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadReader;
import io.threadclock.recorder.Gap;
import io.threadclock.recorder.JvmName;
import io.threadclock.recorder.Sample;
import io.threadclock.recorder.SampleSink;
import io.threadclock.recorder.StoreFailure;
import io.threadclock.recorder.ThreadCount;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Samples a JVM at a steady rate and passes the samples on. If a sample is missing, it passes on a gap. */
public final class Recording {
    private static final long NS_PER_US = 1000;
    /** A snapshot that is late by less than three quarters of an interval counts as late, and not as missing. */
    private static final double JITTER = 0.25;

    private final ThreadReader reader;
    private final JvmName jvm;
    private final SampleSink sink;
    private final long intervalNs;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final SampleBuilder differences;
    private final QuotaWatch quota;
    private long beginNs;
    private long tookNs;
    private long dueNs;
    private long askedNs;
    private long lastUs;
    private long samples;
    private long gaps;
    private long lost;
    private int threadsAtOnce;
    private long ownNs;
    private String end = "";
    private Optional<StoreFailure> failure = Optional.empty();

    /** @param quota reads the CPU quota of the JVM's control groups */
    public Recording(ThreadReader reader, JvmName jvm, Supplier<CpuQuota> quota, SampleSink sink, Duration interval) {
        this.reader = reader;
        this.jvm = jvm;
        this.sink = sink;
        this.intervalNs = interval.toNanos();
        this.differences = new SampleBuilder(jvm);
        this.quota = new QuotaWatch(jvm, quota);
    }

    /** Makes {@link #run} return soon. Any thread may call this. */
    public void stop() {
        stop.countDown();
    }

    /**
     * Returns when it is told to stop, when the time is over, when the JVM has ended, or when samples can no longer be
     * stored.
     *
     * @param each runs after each sample
     */
    public void run(Duration atMost, Runnable each) throws InterruptedException {
        beginNs = System.nanoTime();
        dueNs = beginNs;
        try {
            runUntil(beginNs + atMost.toNanos(), each);
            sink.put(jvm, lastUs, differences.rest());
        } catch (StoreFailure refused) {
            failure = Optional.of(refused);
            end = "it can be kept no longer";
        }
        tookNs = System.nanoTime() - beginNs;
    }

    private void runUntil(long endNs, Runnable each) throws InterruptedException {
        while (stop.getCount() > 0 && System.nanoTime() - endNs < 0 && readOnce()) {
            each.run();
            dueNs = Math.max(dueNs + intervalNs, System.nanoTime() - intervalNs);
            long waitNs = Math.min(dueNs, endNs) - System.nanoTime();
            stop.await(Math.max(0, waitNs), TimeUnit.NANOSECONDS);
        }
    }

    /** The reason why samples can no longer be stored. */
    public Optional<StoreFailure> failure() {
        return failure;
    }

    /** @return whether there can be another snapshot */
    private boolean readOnce() {
        askedNs = System.nanoTime();
        try {
            take(reader.snapshot());
        } catch (ProcessSilent silent) {
            end = silent.getMessage();
        } catch (ProcessEnded ended) {
            end = ended.getMessage();
            return false;
        }
        return true;
    }

    private void take(Snapshot snapshot) {
        Sample sample = differences.take(snapshot);
        if (samples == 0) {
            sink.lastSampleUs(jvm).ifPresent(us -> put(new Gap(jvm, us, sample.wallUs(), Gap.Reason.NOT_RECORDED, 0)));
        } else {
            tellLost(sample, System.nanoTime());
        }
        sink.put(sample);
        quota.look(sample.wallUs()).ifPresent(sink::put);
        end = "";
        samples++;
        lastUs = sample.wallUs();
        threadsAtOnce = Math.max(threadsAtOnce, sample.threadCount());
        ownNs += sample.ownNs();
    }

    /** Finds out which side was late: this program, before it asked, or the JVM, before it answered. */
    private void tellLost(Sample sample, long answeredNs) {
        long missing = (long) ((double) sample.elapsedUs() * NS_PER_US / intervalNs + JITTER) - 1;
        if (missing > 0) {
            boolean isSilent = !end.isEmpty() || answeredNs - askedNs > askedNs - dueNs;
            put(new Gap(jvm, lastUs, sample.wallUs(), isSilent ? Gap.Reason.SILENT : Gap.Reason.LATE, missing));
        }
    }

    private void put(Gap gap) {
        sink.put(gap);
        gaps++;
        lost += gap.lostSamples();
    }

    /** The progress so far. */
    public Progress progress() {
        double seconds = (tookNs == 0 ? System.nanoTime() - beginNs : tookNs) / 1e9;
        ThreadCount threads = new ThreadCount(threadsAtOnce, differences.threadsThatUsedCpu());
        return new Progress(seconds, samples, threads, gaps, lost, ownNs / 1e9 / Math.max(seconds, 1e-9), end);
    }

    /**
     * @param lost number of lost samples
     * @param viewUsageRatio what taking snapshots costs the JVM, as a ratio of one core
     * @param end why there are no snapshots at present, or no more at all; empty if there are
     */
    public record Progress(
            double seconds,
            long samples,
            ThreadCount threads,
            long gaps,
            long lost,
            double viewUsageRatio,
            String end) {}
}
