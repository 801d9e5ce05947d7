// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import io.questdb.griffin.SqlException;
import io.threadclock.lab.demo.message.LawBreaches;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A thread that ingests and queries until it is told to end, and reads its times around each unit of work. */
final class LiveWorker implements Callable<Void> {
    /** Ingesting as fast as it goes would fill the disk, for this program has no end of its own. */
    private static final long BATCH_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final TradeClient client;
    private final LiveReadings readings = new LiveReadings();
    private final UnitLedger ledger = new UnitLedger();
    private final AtomicLong contradictions = new AtomicLong();
    private Thread other;
    private volatile boolean ending;
    private long knownContradictions;
    private long nextBatchNs = System.nanoTime();
    /** What was found and read; kept so that no compiler can leave the work out. */
    private double found;

    LiveWorker(TradeClient client) {
        this.client = client;
    }

    /** Another worker's thread, whose user time this one reads by its id; to be named before this one begins. */
    void watch(Thread worker) {
        other = worker;
    }

    @Override
    public Void call() throws Exception {
        for (long turn = 0; !ending; turn++) {
            readings.time();
            long cpuBeforeNs = readings.cpuNs();
            long userBeforeNs = readings.userNs();
            work(turn);
            long cpuAfterNs = readings.cpuNs();
            long userAfterNs = readings.userNs();
            ledger.charge(cpuBeforeNs, userBeforeNs, cpuAfterNs, userAfterNs);
            countContradictions(ledger.breaches());
            found += readings.userNsOf(other);
        }
        return null;
    }

    void end() {
        ending = true;
    }

    LiveReadings readings() {
        return readings;
    }

    /** Since the last call. Any thread may ask. */
    long takeContradictions() {
        return contradictions.getAndSet(0);
    }

    private void work(long turn) throws SqlException, IOException {
        if (System.nanoTime() - nextBatchNs < 0) {
            found += client.query(turn);
        } else {
            client.ingest();
            nextBatchNs += BATCH_EVERY_NS;
        }
    }

    private void countContradictions(LawBreaches breaches) {
        long all = breaches.outOfRange() + breaches.unitsUserAboveCpu();
        if (all != knownContradictions) {
            contradictions.addAndGet(all - knownContradictions);
            knownContradictions = all;
        }
    }
}
