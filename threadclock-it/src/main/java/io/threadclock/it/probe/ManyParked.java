// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.ArrayList;
import java.util.List;

/** Threads that a library shall report on: they are called "watched", and so are found in what it prints. */
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
