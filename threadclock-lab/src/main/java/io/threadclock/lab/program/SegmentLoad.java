// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/** The ways in which virtual threads leave their carriers, or stay on them, between two pieces of work. */
public enum SegmentLoad {
    YIELD("yield", place -> Thread.yield()),
    PARK("park, with a timeout", place -> LockSupport.parkNanos(Pause.SHORT_NS)),
    /** JDK 21 to 23 pin such a thread. */
    PARK_IN_SYNCHRONIZED("park in synchronized", place -> {
        synchronized (place.own()) {
            LockSupport.parkNanos(Pause.SHORT_NS);
        }
        Thread.yield();
    }),
    PARK_IN_NATIVE_FRAME("park above a native frame", place -> {
        runInNativeFrame(() -> LockSupport.parkNanos(Pause.SHORT_NS));
        Thread.yield();
    }),
    SOCKET("read from a socket", SegmentPlace::sendAndReceive),
    MONITOR("enter a contended monitor", place -> {
        synchronized (place.shared()) {
            SegmentPlace.work();
        }
    }),
    WAIT("Object.wait, timed out", place -> {
        synchronized (place.own()) {
            place.own().wait(1);
        }
    }),
    INTERRUPT("sleep, interrupted", place -> {
        try {
            Thread.sleep(Pause.LONG_MS);
            throw new IllegalStateException("nobody has interrupted it");
        } catch (InterruptedException asItShould) {
            Thread.interrupted();
        }
    }),
    THROW("yield, end by an exception", place -> {
        Thread.yield();
        SegmentPlace.work();
        throw new EndOfThread();
    });

    private final String title;
    private final Pause pause;

    SegmentLoad(String title, Pause pause) {
        this.title = title;
        this.pause = pause;
    }

    void pause(SegmentPlace place) throws IOException, InterruptedException {
        pause.make(place);
    }

    /** Where a load needs this many pieces of work, each of its threads does so many of them. */
    int piecesOfAThread(int pieces) {
        return this == THROW ? 1 : pieces;
    }

    private interface Pause {
        long SHORT_NS = 50_000;
        long LONG_MS = 60_000;

        void make(SegmentPlace place) throws IOException, InterruptedException;
    }

    private static native void runInNativeFrame(Runnable runnable);

    @Override
    public String toString() {
        return title;
    }

    /** Ends a thread, as if it had failed. */
    static final class EndOfThread extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
