// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** A thread of a load makes its pauses here: at monitors, and at a socket whose other end sends every byte back. */
final class SegmentPlace implements AutoCloseable {
    /** 0.1 to some 2 ms of CPU time. */
    private static final int LEAST_STEPS = 50_000;

    private static final int MOST_STEPS = 1_500_000;
    /** The answer of a socket comes after the thread has blocked. */
    private static final long ANSWER_NS = 200_000;

    private static volatile long sink;

    private final Object own = new Object();
    private final Object shared;
    private final Socket near;
    private final Socket far;

    SegmentPlace(Object shared) throws IOException {
        this.shared = shared;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            near = new Socket(server.getInetAddress(), server.getLocalPort());
            far = server.accept();
        }
        Thread echo = new Thread(this::echo, "echo");
        echo.setDaemon(true);
        echo.start();
    }

    Object own() {
        return own;
    }

    Object shared() {
        return shared;
    }

    void sendAndReceive() throws IOException {
        near.getOutputStream().write(1);
        near.getInputStream().read();
    }

    private void echo() {
        try {
            for (int read = far.getInputStream().read();
                    read >= 0;
                    read = far.getInputStream().read()) {
                LockSupport.parkNanos(ANSWER_NS);
                far.getOutputStream().write(read);
            }
        } catch (IOException closed) {
            return;
        }
    }

    /** A piece of work. */
    static void work() {
        long state = sink;
        int steps = ThreadLocalRandom.current().nextInt(LEAST_STEPS, MOST_STEPS);
        for (int i = 0; i < steps; i++) {
            state = state * 6364136223846793005L + i;
        }
        sink = state;
    }

    @Override
    public void close() throws IOException {
        near.close();
        far.close();
    }
}
