// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** The ways in which virtual threads leave their carriers, or stay on them, between two pieces of work. */
enum SegmentLoad {
    YIELD("yield", place -> Thread.yield()),
    PARK("park, with a timeout", place -> LockSupport.parkNanos(Place.PAUSE_NS)),
    /** JDK 21 to 23 pin such a thread. */
    PARK_IN_SYNCHRONIZED("park in synchronized", place -> {
        synchronized (place.own) {
            LockSupport.parkNanos(Place.PAUSE_NS);
        }
        Thread.yield();
    }),
    PARK_IN_NATIVE_FRAME("park above a native frame", place -> {
        BareClocks.runInNativeFrame(() -> LockSupport.parkNanos(Place.PAUSE_NS));
        Thread.yield();
    }),
    SOCKET("read from a socket", Place::sendAndReceive),
    MONITOR("enter a contended monitor", place -> {
        synchronized (Place.SHARED) {
            work();
        }
    }),
    WAIT("Object.wait, timed out", place -> {
        synchronized (place.own) {
            place.own.wait(1);
        }
    }),
    INTERRUPT("sleep, interrupted", place -> {
        try {
            Thread.sleep(Place.LONGEST_MS);
            throw new IllegalStateException("nobody has interrupted it");
        } catch (InterruptedException asItShould) {
            Thread.interrupted();
        }
    }),
    THROW("yield, end by an exception", place -> {
        Thread.yield();
        work();
        throw new CancellationException();
    });

    private static volatile long sink;

    final String title;
    private final Pause pause;

    SegmentLoad(String title, Pause pause) {
        this.title = title;
        this.pause = pause;
    }

    void run(int pieces, Place place) {
        place.own = new Object();
        try {
            for (int i = 0; i < pieces; i++) {
                work();
                pause.make(place);
            }
        } catch (IOException | InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    /** A piece of work: 0.1 to some 2 ms of CPU time. */
    private static void work() {
        long state = sink;
        int steps = ThreadLocalRandom.current().nextInt(50_000, 1_500_000);
        for (int i = 0; i < steps; i++) {
            state = state * 6364136223846793005L + i;
        }
        sink = state;
    }

    private interface Pause {
        void make(Place place) throws IOException, InterruptedException;
    }

    /** Where a thread makes its pauses: at monitors, and at a socket whose other end sends every byte back. */
    static final class Place {
        private static final Object SHARED = new Object();
        private static final long PAUSE_NS = 50_000;
        private static final long LONGEST_MS = 60_000;
        /** The answer of a socket comes after the thread has blocked. */
        private static final long ANSWER_NS = 200_000;

        private final Socket near;
        private final Socket far;
        private Object own;

        Place() throws IOException {
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                near = new Socket(server.getInetAddress(), server.getLocalPort());
                far = server.accept();
            }
            Thread echo = new Thread(new FutureTask<>(this::echo), "echo");
            echo.setDaemon(true);
            echo.start();
        }

        private void sendAndReceive() throws IOException {
            near.getOutputStream().write(1);
            near.getInputStream().read();
        }

        private Void echo() throws IOException {
            while (true) {
                int read = far.getInputStream().read();
                LockSupport.parkNanos(ANSWER_NS);
                far.getOutputStream().write(read);
            }
        }
    }
}
