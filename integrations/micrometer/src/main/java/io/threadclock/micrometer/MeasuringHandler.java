// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.threadclock.AccountUsage;
import io.threadclock.diagnostics.FailureLog;
import java.util.function.Consumer;

/**
 * Measures observations, and tells what each has cost when it stops. All such handlers of an observation share its
 * times: a scope that several of them open counts once. No failure reaches the program, in the middle of which
 * Micrometer calls handlers; the first one is logged. Thread-safe.
 */
abstract class MeasuringHandler implements ObservationHandler<Observation.Context> {
    private final FailureLog failures = new FailureLog("Observations may lack their cost.");

    /** Tells what an observation has cost. Null if nobody knows. */
    abstract void tell(Observation.Context context, AccountUsage usage);

    @Override
    public final boolean supportsContext(Observation.Context context) {
        return true;
    }

    /** A context may serve for one observation after the other. */
    @Override
    public void onStart(Observation.Context context) {
        guard(context, context.get(ScopeTimes.class), known -> {
            if (known == null || known.isStopped()) {
                context.put(ScopeTimes.class, new ScopeTimes(context));
            }
        });
    }

    @Override
    public void onScopeOpened(Observation.Context context) {
        guardIfStarted(context, ScopeTimes::open);
    }

    @Override
    public void onScopeClosed(Observation.Context context) {
        guardIfStarted(context, ScopeTimes::close);
    }

    /** Micrometer 1.17 advises against it, and calls it all the same, when the scopes leave the thread for a while. */
    @Override
    @SuppressWarnings("deprecation")
    public void onScopeReset(Observation.Context context) {
        guardIfStarted(context, ScopeTimes::reset);
    }

    /**
     * Whatever stops an observation again, as Spring does at the end of a request that has timed out, tells nothing
     * more.
     */
    @Override
    public void onStop(Observation.Context context) {
        guard(context, context.get(ScopeTimes.class), known -> {
            ScopeTimes times =
                    known == null ? context.computeIfAbsent(ScopeTimes.class, none -> new ScopeTimes(context)) : known;
            if (times.isFirstStop(this)) {
                tell(context, times.stop());
            }
        });
    }

    /**
     * There are none before the start; Micrometer itself opens a scope that stands for no observation, and never starts
     * it.
     */
    private void guardIfStarted(Observation.Context context, Consumer<ScopeTimes> action) {
        ScopeTimes times = context.get(ScopeTimes.class);
        if (times != null) {
            guard(context, times, action);
        }
    }

    private void guard(Observation.Context context, ScopeTimes times, Consumer<ScopeTimes> action) {
        try {
            action.accept(times);
        } catch (Throwable failed) { // a meter that cannot be registered, no memory, no stack
            if (times != null) {
                times.lose();
            }
            failures.report("Measuring observation " + context.getName(), failed);
        }
    }
}
