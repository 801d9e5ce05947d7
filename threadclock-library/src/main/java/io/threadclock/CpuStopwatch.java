// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

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
 * one thread, so the thread that starts a stopwatch must stop it: any other thread gets an {@link
 * IllegalStateException}, and the stopwatch runs on. Only its thread may use it while it runs. {@link #start()}, {@link
 * #lap()} and {@link #stop()} cost one reading of {@link ThreadClock} each; about one reading is part of the measured
 * time.
 */
public final class CpuStopwatch implements AutoCloseable {
    private final TimesHolder now = new TimesHolder();

    /** Null while it is stopped. Others see it late at worst, never themselves in it. */
    private Thread owner;

    private long startCpuNs;
    private long startUserNs;
    private long lapStartCpuNs;
    private long cpuTimeNs;
    private long userTimeNs;

    /**
     * Creates a stopped stopwatch with all times 0.
     *
     * @throws ClockUnavailableException if {@link ThreadClock#isSupported()} is false and nobody has fallen back on
     *     {@code ThreadMXBean}
     */
    public CpuStopwatch() {}

    /**
     * Starts a new measurement. The times of the last one stay until this one is stopped.
     *
     * @return this, for try-with-resources
     * @throws IllegalStateException if it already runs
     * @throws UnsupportedOperationException if the calling thread is virtual and not accounted
     */
    public CpuStopwatch start() {
        if (owner != null) {
            throw new IllegalStateException("Starting a stopwatch on " + nameOf(Thread.currentThread()) + ": "
                    + nameOf(owner) + " has started it, and it runs. Stop it first, or nest another one.");
        }
        ThreadClock.read(now);
        startCpuNs = now.cpuTimeNs();
        startUserNs = now.userTimeNs();
        lapStartCpuNs = startCpuNs;
        owner = Thread.currentThread();
        return this;
    }

    /**
     * Ends a lap and begins the next one.
     *
     * @return CPU time since the start or the last lap, in ns; ≥ 0
     * @throws IllegalStateException if it does not run, or runs for another thread
     */
    public long lap() {
        refuseUnlessOwner("Taking a lap of");
        long cpuNs = ThreadClock.cpuTimeNs();
        long lapNs = cpuNs - lapStartCpuNs;
        lapStartCpuNs = cpuNs;
        return lapNs;
    }

    /**
     * Ends the measurement; its times can be read from now on.
     *
     * @return CPU time since the start, in ns; ≥ 0
     * @throws IllegalStateException if it does not run, or runs for another thread
     */
    public long stop() {
        refuseUnlessOwner("Stopping");
        ThreadClock.read(now);
        owner = null;
        cpuTimeNs = now.cpuTimeNs() - startCpuNs;
        userTimeNs = now.userTimeNs() - startUserNs;
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

    /** {@return CPU time of the last measurement that was stopped, in ns; ≥ 0} */
    public long cpuTimeNs() {
        return cpuTimeNs;
    }

    /** {@return user time of the last measurement that was stopped, in ns; from 0 to its CPU time} */
    public long userTimeNs() {
        return userTimeNs;
    }

    /** {@return system time of the last measurement that was stopped, in ns; from 0 to its CPU time} */
    public long systemTimeNs() {
        return cpuTimeNs - userTimeNs;
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
