// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.threadclock.AccountUsage;
import java.util.function.Consumer;

/**
 * Measures observations, and tells what each has cost when it stops. All such handlers of an observation
 * share its times: a scope that several of them open counts once. Thread-safe.
 */
abstract class MeasuringHandler implements ObservationHandler<Observation.Context> {
    /** Tells what an observation has cost. Null if nobody knows. */
    abstract void tell(Observation.Context context, AccountUsage usage);

    @Override
    public final boolean supportsContext(Observation.Context context) {
        return true;
    }

    /** A context may serve for one observation after the other. */
    @Override
    public final void onStart(Observation.Context context) {
        ScopeTimes known = context.get(ScopeTimes.class);
        if (known == null || known.isStopped()) {
            context.put(ScopeTimes.class, new ScopeTimes());
        }
    }

    @Override
    public final void onScopeOpened(Observation.Context context) {
        withTimes(context, ScopeTimes::open);
    }

    @Override
    public final void onScopeClosed(Observation.Context context) {
        withTimes(context, ScopeTimes::close);
    }

    /** Micrometer 1.17 advises against it, and calls it all the same, when the scopes leave the thread for a while. */
    @Override
    @SuppressWarnings("deprecation")
    public final void onScopeReset(Observation.Context context) {
        withTimes(context, ScopeTimes::reset);
    }

    @Override
    public final void onStop(Observation.Context context) {
        withTimes(context, times -> tell(context, times.stop()));
    }

    /** There are none before the start; Micrometer itself opens a scope that stands for no observation, and never starts it. */
    private static void withTimes(Observation.Context context, Consumer<ScopeTimes> action) {
        ScopeTimes times = context.get(ScopeTimes.class);
        if (times != null) {
            action.accept(times);
        }
    }
}
