// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Threads of every kind that start at one time, and their ids by kind. */
final class CastOfThreads implements AutoCloseable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final String when;
    private final Map<String, Long> ids = new LinkedHashMap<>();
    private final List<Parked> parked = new ArrayList<>();
    private volatile boolean closing;
    private Thread spinner;

    /** {@code when}: the time in the names of their kinds, for instance "before". */
    CastOfThreads(String when) throws InterruptedException {
        this.when = when;
        park("silent", () -> {});
        park("selfReader", CastOfThreads::readOwnTimes);
        startSpinner();
        put("ended", ThreadIds.endedId());
        put("endedSelfReader", ThreadIds.endedId(CastOfThreads::readOwnTimes));
        put("notStarted", new Thread(() -> {}).getId());
    }

    /** Maps the kind and {@code when} to the Java thread id. */
    Map<String, Long> ids() {
        return ids;
    }

    private static void readOwnTimes() {
        THREADS.getCurrentThreadCpuTime();
        THREADS.getCurrentThreadUserTime();
    }

    private void park(String kind, Runnable work) throws InterruptedException {
        Parked thread = new Parked(work);
        parked.add(thread);
        put(kind, thread.id());
    }

    private void startSpinner() {
        spinner = new Thread(() -> {
            while (!closing) {
                Thread.yield(); // it runs, but leaves the CPUs to the threads that ask
            }
        });
        spinner.start();
        put("running", spinner.getId());
    }

    private void put(String kind, long id) {
        ids.put(kind + "." + when, id);
    }

    @Override
    public void close() {
        closing = true;
        parked.forEach(Parked::close);
    }
}
