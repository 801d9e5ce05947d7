// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.micrometer.core.instrument.MeterRegistry;
import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.process.OneOfMany;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.threads.ThreadReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Keeps the meters of JVMs that come and go. */
public final class Exporter {
    private static final Duration LONGEST_END = Duration.ofSeconds(5);

    private final Function<Target, ThreadReader> readers;
    private final Duration interval;
    private final MeterRegistry registry;
    private final Consumer<String> say;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final JvmLabels labels = new JvmLabels();
    private final Map<Integer, ExportedJvm> jvms = new HashMap<>();

    /**
     * Closes the registry at its end.
     *
     * @param readers opens the reader of a JVM's threads; throws a {@link Refusal} if they cannot be read
     * @param say is told what a user wants to know, in one line
     */
    Exporter(Function<Target, ThreadReader> readers, Duration interval, MeterRegistry registry, Consumer<String> say) {
        this.readers = readers;
        this.interval = interval;
        this.registry = registry;
        this.say = say;
    }

    /** Makes the others return soon. Any thread may call this. */
    public void stop() {
        stop.countDown();
    }

    /** Returns when all of them have ended, or this is told to stop. Then nothing is left in any JVM. */
    public void run(List<Target> named) throws InterruptedException {
        try {
            named.forEach(this::add);
            while (!jvms.isEmpty() && !isToldToStop()) {
                forgetEnded();
            }
        } finally {
            end();
        }
    }

    /**
     * Returns when this is told to stop. Then nothing is left in any JVM.
     *
     * @param pids those of the JVMs that run now
     * @param targets opens a process; throws a {@link Refusal} if it cannot be read
     */
    public void runAll(Supplier<List<Integer>> pids, IntFunction<Target> targets) throws InterruptedException {
        Set<Integer> refused = new HashSet<>();
        try {
            do {
                forgetEnded();
                List<Integer> now = pids.get();
                refused.retainAll(now);
                stopOthers(now);
                now.stream()
                        .filter(pid -> !jvms.containsKey(pid) && !refused.contains(pid))
                        .filter(pid -> !open(pid, targets))
                        .forEach(refused::add);
            } while (!isToldToStop());
        } finally {
            end();
        }
    }

    private boolean open(int pid, IntFunction<Target> targets) {
        return OneOfMany.tried(pid, say, () -> targets.apply(pid).checked(this::add))
                .isPresent();
    }

    private void add(Target target) {
        String label = labels.take(target.program());
        ExportedJvm jvm = new ExportedJvm(target, label, readers, interval, registry, say);
        jvms.put(target.pid(), jvm);
        jvm.start();
    }

    /** Where there are as many as can be, one of another user's may have lost its place to one of root's. */
    private void stopOthers(List<Integer> pids) {
        if (pids.size() >= Bounds.JVMS) {
            Set<Integer> kept = Set.copyOf(pids);
            jvms.entrySet().stream().filter(jvm -> !kept.contains(jvm.getKey())).forEach(jvm -> jvm.getValue()
                    .stop());
        }
    }

    private void forgetEnded() {
        List<ExportedJvm> ended =
                jvms.values().stream().filter(ExportedJvm::hasEnded).toList();
        ended.forEach(jvm -> labels.giveBack(jvm.label()));
        jvms.values().removeAll(ended);
    }

    private boolean isToldToStop() throws InterruptedException {
        return stop.await(interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void end() throws InterruptedException {
        registry.close(); // which sends what is not sent yet
        jvms.values().forEach(ExportedJvm::stop);
        for (ExportedJvm jvm : jvms.values()) {
            jvm.awaitEnd(LONGEST_END);
        }
    }
}
