// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;

/** The storage of contexts, whose scopes are also parts of the cost of their spans. */
final class MeasuredContextStorage implements ContextStorage {
    private final ContextStorage storage;
    private final SpanCosts costs;

    MeasuredContextStorage(ContextStorage storage, SpanCosts costs) {
        this.storage = storage;
        this.costs = costs;
        costs.seeScopes();
    }

    /** If the same context is current already, its span is measured already. */
    @Override
    public Scope attach(Context toAttach) {
        Scope scope = storage.attach(toAttach);
        return scope == Scope.noop() ? scope : costs.measured(scope, toAttach);
    }

    @Override
    public Context current() {
        return storage.current();
    }

    @Override
    public Context root() {
        return storage.root();
    }
}
