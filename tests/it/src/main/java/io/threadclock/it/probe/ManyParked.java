// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.ArrayList;
import java.util.List;

/** Threads on which a library must report. Their names contain "watched", by which the output is searched. */
final class ManyParked implements AutoCloseable {
    private final List<Parked> threads = new ArrayList<>();

    ManyParked(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            threads.add(new Parked(() -> Thread.currentThread().setName("watched")));
        }
    }

    @Override
    public void close() {
        threads.forEach(Parked::close);
    }
}
