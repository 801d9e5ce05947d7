// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.io.IOException;

/** Delivers the outbox to the server: each batch again, less and less often, until it has arrived. */
final class Delivery {
    private static final long NEVER = -1;
    private static final String START = "Start it, or give more room by buffer_mb=.";
    private static final long FIRST_PAUSE_MS = 100;
    private static final long LONGEST_PAUSE_MS = 5_000;
    /** The patience at the end, for the rest of the outbox. */
    static final long PATIENCE_MS = 10_000;
    /** The patience at the begin, if the server answers and refuses access. Most likely the text of --to is wrong. */
    private static final long LOCKED_OUT_MS = 60_000;

    private final Outbox outbox;
    private final QuestDbServer server;
    private final Time time;
    private boolean hasTables;
    private boolean hasArrived;
    private long lockedOutSinceMs = NEVER;
    private volatile String trouble = "";
    private volatile String remedy = START;
    private volatile StoreFailure refusal;

    Delivery(Outbox outbox, QuestDbServer server, Time time) {
        this.outbox = outbox;
        this.server = server;
        this.time = time;
    }

    /**
     * Returns when the outbox is closed and empty, or was closed long ago, or the server will never accept its content.
     */
    void run() throws InterruptedException {
        Outbox.Batch batch = outbox.take();
        while (!batch.isEmpty() && arrives(batch)) {
            batch = outbox.take();
        }
    }

    private boolean arrives(Outbox.Batch batch) throws InterruptedException {
        long pauseMs = FIRST_PAUSE_MS;
        while (!arrivesNow(batch)) {
            if (refusal != null || outbox.isClosedSince(PATIENCE_MS)) {
                return false;
            }
            boolean isClosing = outbox.pause(pauseMs);
            pauseMs = isClosing ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
        }
        return true;
    }

    private boolean arrivesNow(Outbox.Batch batch) throws InterruptedException {
        try {
            createTables();
            server.write(batch.lines());
            outbox.arrived(batch);
            hasTables = true;
            hasArrived = true;
            trouble = "";
            return true;
        } catch (QuestDbServer.LockedOut closed) {
            trouble = closed.getMessage();
            remedy = closed.failure().remedy();
            refusal = isLockedOutForGood() ? closed.failure() : null;
        } catch (IOException noAnswer) {
            trouble = noAnswer.getMessage() == null ? noAnswer.getClass().getSimpleName() : noAnswer.getMessage();
            remedy = START;
        } catch (StoreFailure refused) {
            trouble = refused.answer();
            remedy = refused.remedy();
            refusal = refused;
        }
        return false;
    }

    /** A user who may write need not be allowed to create tables. The server then creates them in its own way. */
    private void createTables() throws IOException, InterruptedException {
        try {
            if (!hasTables) {
                server.createTables();
                hasTables = true;
            }
        } catch (QuestDbServer.LockedOut refused) {
            trouble = refused.getMessage();
        }
    }

    /** A server that has given access before will do so again. */
    private boolean isLockedOutForGood() {
        lockedOutSinceMs = lockedOutSinceMs == NEVER ? time.ms() : lockedOutSinceMs;
        return !hasArrived && time.ms() - lockedOutSinceMs >= LOCKED_OUT_MS;
    }

    /** The reason why the last attempt has failed; empty if it has not. */
    String trouble() {
        return trouble;
    }

    /** The remedy for the last attempt that has failed. */
    String remedy() {
        return remedy;
    }

    /** Null as long as the server may accept it some time. */
    StoreFailure refusal() {
        return refusal;
    }
}
