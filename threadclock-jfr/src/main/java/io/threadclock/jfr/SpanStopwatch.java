// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import io.threadclock.CpuStopwatch;
import java.util.Objects;

/**
 * A {@link CpuStopwatch} that writes its measurements into flight recordings, as events {@code threadclock.Span}: name,
 * user and system time, and the wall time as duration. Reusable; allocates nothing after its creation.
 *
 * <pre>{@code
 * SpanStopwatch watch = new SpanStopwatch("order.validate"); // one per thread, kept
 * try (SpanStopwatch running = watch.start()) {
 *     validate(order);
 * }
 * }</pre>
 *
 * <p>It measures whether or not there is a recording; without one, it costs a few ns more than a {@link CpuStopwatch}.
 * A span that began before the recording is not in it. Like a {@link CpuStopwatch} it is for one thread at a time, and
 * throws the same exceptions.
 */
public final class SpanStopwatch implements AutoCloseable {
    private final CpuStopwatch watch = new CpuStopwatch();

    /** One event for all measurements; it may be committed again once it has begun and ended again. */
    private final SpanEvent event;

    /** Whether the event of the present measurement has begun. */
    private boolean hasBegun;

    /**
     * Creates a stopped stopwatch.
     *
     * @param name of the kind of work; use few different names, because the recording keeps each
     * @throws io.threadclock.ClockUnavailableException if the clock is not supported here and nobody has fallen back
     */
    public SpanStopwatch(String name) {
        this.event = new SpanEvent(Objects.requireNonNull(name, "name"));
    }

    /**
     * Starts a new measurement.
     *
     * @return this, for try-with-resources
     * @throws IllegalStateException if it already runs
     * @throws UnsupportedOperationException if the calling thread is virtual and not accounted
     */
    public SpanStopwatch start() {
        watch.start();
        hasBegun = event.isEnabled();
        if (hasBegun) {
            event.begin();
        }
        return this;
    }

    /**
     * Ends the measurement, and records it.
     *
     * @return CPU time since the start, in ns; ≥ 0
     * @throws IllegalStateException if it does not run, or runs for another thread
     */
    public long stop() {
        long cpuNs = watch.stop();
        if (hasBegun) {
            hasBegun = false;
            event.end();
            commit();
        }
        return cpuNs;
    }

    /**
     * Stops it if it runs.
     *
     * @throws IllegalStateException if it runs for another thread
     */
    @Override
    public void close() {
        if (watch.isRunning()) {
            stop();
        }
    }

    /** {@return whether it has been started and not been stopped since} */
    public boolean isRunning() {
        return watch.isRunning();
    }

    /** {@return CPU time of the last measurement that was stopped, in ns; ≥ 0} */
    public long cpuTimeNs() {
        return watch.cpuTimeNs();
    }

    /** {@return user time of the last measurement that was stopped, in ns; from 0 to its CPU time} */
    public long userTimeNs() {
        return watch.userTimeNs();
    }

    /** {@return system time of the last measurement that was stopped, in ns; from 0 to its CPU time} */
    public long systemTimeNs() {
        return watch.systemTimeNs();
    }

    private void commit() {
        if (event.shouldCommit()) {
            event.userTime = watch.userTimeNs();
            event.systemTime = watch.systemTimeNs();
            event.commit();
        }
    }
}
