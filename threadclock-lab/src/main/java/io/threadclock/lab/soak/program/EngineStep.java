// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

import io.threadclock.lab.program.TradeClient;
import java.util.concurrent.TimeUnit;

/** A unit of the engine's work, and readings after it. */
final class EngineStep implements Actor.Step {
    /** Ingesting as fast as it goes would fill the disk. */
    private static final long BATCH_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final TradeClient client;
    private final Target target;
    private final OwnReader reader;
    private long turn;
    private long nextBatchNs = System.nanoTime();
    /** What was found; kept so that no compiler can leave the work out. */
    private double found;

    EngineStep(TradeClient client, Breaches breaches, Target target) {
        this.client = client;
        this.target = target;
        this.reader = new OwnReader(breaches, target);
    }

    @Override
    public void take() throws Exception {
        if (target.thread() == null) {
            target.isCallingThread();
        }
        if (System.nanoTime() - nextBatchNs < 0) {
            found += client.query(turn++);
        } else {
            client.ingest();
            nextBatchNs = System.nanoTime() + BATCH_EVERY_NS;
        }
        reader.read();
    }
}
