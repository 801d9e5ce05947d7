// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.process.ClosedOutput;
import io.threadclock.cli.process.OneOfMany;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.threads.ThreadReader;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Reads JVMs that come and go. */
public final class Exporter implements AutoCloseable {
    private static final Duration LONGEST_END = Duration.ofSeconds(5);
    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(1);
    /** Far less than Prometheus waits for an answer. */
    private static final long LONGEST_LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Opens the readers of a JVM's threads. Both throw a {@link Refusal} if they cannot.
     *
     * @param fromOutside is used where the best one refuses; the same function if there is no other
     */
    public record Readers(Function<Target, ThreadReader> best, Function<Target, ThreadReader> fromOutside) {}

    /** Is told what a user wants to know, and what is wrong, in one line. */
    public record Log(Consumer<String> out, Consumer<String> err) {}

    private final Readers readers;
    private final Duration interval;
    private final Log log;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Map<Integer, ExportedJvm> jvms = new ConcurrentHashMap<>();

    /** The starts of those that are not read, by their pids. */
    private final Map<Integer, Long> leftOut = new HashMap<>();

    private volatile ClosedOutput closed;

    public Exporter(Readers readers, Duration interval, Log log) {
        this.readers = readers;
        this.interval = interval;
        this.log = new Log(line -> tell(log.out, line), log.err);
    }

    /** When nobody reads what is told, this stops. That a file is full does not end it. */
    private void tell(Consumer<String> out, String line) {
        try {
            out.accept(line);
        } catch (ClosedOutput gone) {
            closed = gone;
            stop();
        } catch (Refusal full) {
            log.err.accept(full.getMessage());
        }
    }

    /** Makes the others return soon. Any thread may call this. */
    public void stop() {
        stop.countDown();
    }

    /**
     * Returns when all of them have ended, or this is told to stop.
     *
     * @throws ClosedOutput if nobody reads what is told
     */
    public void run(List<Target> named) throws InterruptedException {
        named.forEach(this::add);
        while (!jvms.isEmpty() && !isToldToStop()) {
            forgetEnded();
        }
    }

    /**
     * Returns when this is told to stop.
     *
     * @param found the JVMs that run now: their starts by their pids
     * @param targets opens a process; throws a {@link Refusal} if it cannot be read
     * @param isWanted whether one is to be read
     * @throws ClosedOutput if nobody reads what is told
     */
    public void runAll(Supplier<Map<Integer, Long>> found, IntFunction<Target> targets, Predicate<Target> isWanted)
            throws InterruptedException {
        do {
            forgetEnded();
            Map<Integer, Long> now = found.get();
            leftOut.entrySet().retainAll(now.entrySet());
            stopOthers(now);
            now.forEach((pid, start) -> {
                if (!jvms.containsKey(pid) && !leftOut.containsKey(pid) && !open(pid, targets, isWanted)) {
                    leftOut.put(pid, start);
                }
            });
        } while (!isToldToStop());
    }

    private boolean open(int pid, IntFunction<Target> targets, Predicate<Target> isWanted) {
        return OneOfMany.tried(pid, log.err(), () -> {
                    Target target = targets.apply(pid);
                    target.checked(opened -> {
                        if (isWanted.test(opened)) {
                            add(opened);
                        } else {
                            opened.close();
                        }
                    });
                    return jvms.containsKey(pid);
                })
                .orElse(false);
    }

    private void add(Target target) {
        ExportedJvm jvm = new ExportedJvm(target, readers, interval, log);
        jvms.put(target.pid(), jvm);
        jvm.start();
    }

    /**
     * Another process may have the pid by now; and where there are as many as can be, one of another user's may have
     * lost its place to one of root's.
     */
    private void stopOthers(Map<Integer, Long> found) {
        jvms.forEach((pid, jvm) -> {
            Long start = found.get(pid);
            if (start == null
                    ? found.size() >= Bounds.JVMS
                    : start != jvm.target().startTicks()) {
                jvm.stop();
            }
        });
    }

    private void forgetEnded() {
        jvms.values().removeIf(ExportedJvm::hasEnded);
    }

    private boolean isToldToStop() throws InterruptedException {
        boolean isTold = stop.await(interval.toNanos(), TimeUnit.NANOSECONDS);
        if (closed != null) {
            throw closed;
        }
        return isTold;
    }

    /** All JVMs, after a new look at those that answer and were not looked at just now. */
    Collection<ExportedJvm> look() {
        long nowNs = System.nanoTime();
        List<ExportedJvm> all =
                jvms.values().stream().filter(jvm -> !jvm.hasEnded()).toList();
        all.forEach(jvm -> jvm.askIfOlder(nowNs - FRESH_NS));
        for (ExportedJvm jvm : all) {
            jvm.awaitLook(nowNs + LONGEST_LOOK_NS);
        }
        return all;
    }

    /** When this returns, nothing is left in any JVM, unless one does not answer. */
    @Override
    public void close() {
        jvms.values().forEach(ExportedJvm::stop);
        for (ExportedJvm jvm : jvms.values()) {
            jvm.awaitEnd(LONGEST_END);
        }
    }
}
