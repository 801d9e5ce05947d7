// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Measures what a piece of work costs the thread that does it: CPU, user and system time. Reusable; allocates nothing
 * after its creation.
 *
 * <pre>{@code
 * CpuStopwatch watch = new CpuStopwatch(); // one per thread, kept
 * try (CpuStopwatch running = watch.start()) {
 *     handle(request);
 * }
 * log(watch.cpuTimeNs());
 * }</pre>
 *
 * <p>Nested pieces of work need one stopwatch each; the outer one includes the inner ones' cost. CPU time belongs to
 * one thread, so the thread that starts a stopwatch must stop it: any other thread gets an
 * {@link IllegalStateException}, and the stopwatch runs on. Only its thread may use it while it runs. {@link #start()},
 * {@link #lap()} and {@link #stop()} cost one reading of {@link ThreadClock} each; about one reading is part of the
 * measured time.
 *
 * <p>It breaks no program: where the thread cannot be read ({@link ThreadClock#canRead()}), such as a virtual thread
 * that is not measured, {@link #isMeasured()} is false, and the times are -1. Only with the property
 * {@code threadclock.strict} an exception says why: {@link ClockUnavailableException} or
 * {@link UnsupportedOperationException}.
 *
 * @since 0.1
 */
public final class CpuStopwatch implements AutoCloseable {
    private static final long UNKNOWN = -1;

    private final TimesHolder now = new TimesHolder();

    /** Null if {@link ThreadClock} is read. */
    private final @Nullable CpuClock clock;

    /** Null while it is stopped. Others see it late at worst, never themselves in it. */
    private @Nullable Thread owner;

    private long startCpuNs;
    private long startUserNs;
    private long lapStartCpuNs;
    private long cpuTimeNs = UNKNOWN;
    private long userTimeNs = UNKNOWN;

    /** Creates a stopped stopwatch that has measured nothing. */
    public CpuStopwatch() {
        clock = null;
    }

    /**
     * Creates a stopped stopwatch that measures by this clock.
     *
     * @param clock the real one ({@link CpuClock#ofCallingThread()}), or a test's own
     */
    public CpuStopwatch(CpuClock clock) {
        this.clock = Objects.requireNonNull(clock, "clock") == CpuClock.ofCallingThread() ? null : clock;
    }

    /**
     * Starts a new measurement. The times of the last one stay until this one is stopped.
     *
     * @return this, for try-with-resources
     * @throws IllegalStateException if it already runs
     */
    public CpuStopwatch start() {
        if (owner != null) {
            throw new IllegalStateException("Starting a stopwatch on " + nameOf(Thread.currentThread()) + ": "
                    + nameOf(owner) + " has started it, and it runs. Stop it first, or nest another one.");
        }
        startCpuNs = isRead() ? now.cpuTimeNs() : UNKNOWN;
        startUserNs = now.userTimeNs();
        lapStartCpuNs = startCpuNs;
        owner = Thread.currentThread();
        return this;
    }

    /**
     * Ends a lap and begins the next one.
     *
     * @return CPU time since the start or the last lap that was measured, in ns; -1 if this one is not
     * @throws IllegalStateException if it does not run, or runs for another thread
     */
    public long lap() {
        refuseUnlessOwner("Taking a lap of");
        if (startCpuNs == UNKNOWN) {
            return UNKNOWN;
        }
        try {
            long cpuNs = clock == null ? ThreadClock.cpuTimeNs() : clock.cpuTimeNs();
            long lapNs = cpuNs - lapStartCpuNs;
            lapStartCpuNs = cpuNs;
            return lapNs;
        } catch (ClockUnavailableException | UnsupportedOperationException refused) {
            throwIfStrict(refused);
            return UNKNOWN;
        }
    }

    /**
     * Ends the measurement; its times can be read from now on.
     *
     * @return CPU time since the start, in ns; -1 if it is not measured
     * @throws IllegalStateException if it does not run, or runs for another thread
     */
    public long stop() {
        refuseUnlessOwner("Stopping");
        boolean isMeasured = startCpuNs != UNKNOWN && isRead();
        owner = null;
        cpuTimeNs = isMeasured ? now.cpuTimeNs() - startCpuNs : UNKNOWN;
        userTimeNs = isMeasured ? now.userTimeNs() - startUserNs : UNKNOWN;
        return cpuTimeNs;
    }

    /**
     * Stops it if it runs.
     *
     * @throws IllegalStateException if it runs for another thread
     */
    @Override
    public void close() {
        if (owner != null) {
            stop();
        }
    }

    /** {@return whether it has been started and not been stopped since} */
    public boolean isRunning() {
        return owner != null;
    }

    /**
     * {@return whether the last measurement that was stopped could be made: its thread could be read when it was
     * started and when it was stopped} It is false before the first.
     */
    public boolean isMeasured() {
        return cpuTimeNs != UNKNOWN;
    }

    /** {@return CPU time of the last measurement that was stopped, in ns; -1 unless {@link #isMeasured()}} */
    public long cpuTimeNs() {
        return cpuTimeNs;
    }

    /**
     * {@return user time of the last measurement that was stopped, in ns; from 0 to its CPU time; -1 unless
     * {@link #isMeasured()}}
     */
    public long userTimeNs() {
        return userTimeNs;
    }

    /**
     * {@return system time of the last measurement that was stopped, in ns; from 0 to its CPU time; -1 unless
     * {@link #isMeasured()}}
     */
    public long systemTimeNs() {
        return isMeasured() ? cpuTimeNs - userTimeNs : UNKNOWN;
    }

    private boolean isRead() {
        if (!ThreadClock.STRICT && !(clock == null ? ThreadClock.canRead() : clock.canRead())) {
            return false;
        }
        try {
            if (clock == null) {
                ThreadClock.read(now);
            } else {
                now.take(clock.read());
            }
            return true;
        } catch (ClockUnavailableException | UnsupportedOperationException refused) {
            throwIfStrict(refused);
            return false;
        }
    }

    private static void throwIfStrict(RuntimeException refused) {
        if (ThreadClock.STRICT) {
            throw refused;
        }
    }

    private void refuseUnlessOwner(String action) {
        Thread started = owner;
        if (started != Thread.currentThread()) {
            throw new IllegalStateException(action + " a stopwatch on " + nameOf(Thread.currentThread()) + ": "
                    + (started == null
                            ? "it does not run. Start it first."
                            : nameOf(started) + " has started it, and CPU time is a thread's own. Stop it there."));
        }
    }

    private static String nameOf(Thread thread) {
        return "thread \"" + thread.getName() + "\"";
    }
}
