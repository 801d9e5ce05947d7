// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.threadclock.diagnostics.FailureLog;

/** Binds meters. A program whose registry refuses some of them starts all the same; the first failure is logged. */
abstract class GuardedBinder implements MeterBinder {
    final FailureLog failures = new FailureLog("The program goes on without some of threadclock's meters.");

    abstract void bind(MeterRegistry registry);

    @Override
    public final void bindTo(MeterRegistry registry) {
        try {
            bind(registry);
        } catch (Throwable failed) { // a listener of the registry's, a name that is taken, a clock that is refused
            failures.report("Binding " + getClass().getSimpleName(), failed);
        }
    }
}
