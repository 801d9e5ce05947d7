// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/** The ways in which virtual threads leave their carriers, or stay on them, between two pieces of work. */
public enum SegmentLoad {
    YIELD("yield") {
        @Override
        void pause(SegmentPlace place) {
            Thread.yield();
        }
    },
    PARK("park, with a timeout") {
        @Override
        void pause(SegmentPlace place) {
            LockSupport.parkNanos(PAUSE_NS);
        }
    },
    /** JDK 21 to 23 pin such a thread. */
    PARK_IN_SYNCHRONIZED("park in synchronized") {
        @Override
        void pause(SegmentPlace place) {
            synchronized (place.own()) {
                LockSupport.parkNanos(PAUSE_NS);
            }
            Thread.yield();
        }
    },
    PARK_IN_NATIVE_FRAME("park above a native frame") {
        @Override
        void pause(SegmentPlace place) {
            runInNativeFrame(() -> LockSupport.parkNanos(PAUSE_NS));
            Thread.yield();
        }
    },
    SOCKET("read from a socket") {
        @Override
        void pause(SegmentPlace place) throws IOException {
            place.sendAndReceive();
        }
    },
    MONITOR("enter a contended monitor") {
        @Override
        void pause(SegmentPlace place) {
            synchronized (place.shared()) {
                SegmentPlace.work();
            }
        }
    },
    WAIT("Object.wait, timed out") {
        @Override
        void pause(SegmentPlace place) throws InterruptedException {
            synchronized (place.own()) {
                place.own().wait(1);
            }
        }
    },
    INTERRUPT("sleep, interrupted") {
        @Override
        void pause(SegmentPlace place) {
            try {
                Thread.sleep(LONG_MS);
                throw new IllegalStateException("nobody has interrupted it");
            } catch (InterruptedException asItShould) {
                Thread.interrupted();
            }
        }
    },
    THROW("yield, end by an exception") {
        @Override
        void pause(SegmentPlace place) {
            Thread.yield();
            SegmentPlace.work();
            throw new EndOfThread();
        }

        @Override
        int piecesOfAThread(int pieces) {
            return 1;
        }
    };

    private static final long PAUSE_NS = 50_000;
    private static final long LONG_MS = 60_000;

    private final String title;

    SegmentLoad(String title) {
        this.title = title;
    }

    abstract void pause(SegmentPlace place) throws IOException, InterruptedException;

    /** Where a load needs this many pieces of work, each of its threads does so many of them. */
    int piecesOfAThread(int pieces) {
        return pieces;
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
