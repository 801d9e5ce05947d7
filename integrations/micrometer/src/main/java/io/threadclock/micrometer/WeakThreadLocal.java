// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.function.Supplier;

/**
 * A value of each thread, which stays as long as something else refers to it, and is made anew after that. The threads
 * of a container outlive this library's class loader; a {@link ThreadLocal} would keep that in memory by its values.
 */
final class WeakThreadLocal<T> {
    private final ThreadLocal<Reference<T>> values = new ThreadLocal<>();
    private final Supplier<T> initial;

    WeakThreadLocal(Supplier<T> initial) {
        this.initial = initial;
    }

    T get() {
        Reference<T> known = values.get();
        T value = known == null ? null : known.get();
        if (value == null) {
            value = initial.get();
            values.set(new WeakReference<>(value));
        }
        return value;
    }
}
