// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;

/**
 * Runs virtual threads of several pools: ten that work and end; three that stay parked; 100,000 with names of which no
 * two are of one pool; and one, begun before these, that stays on its carrier after them. (Beside one that stays there,
 * JDK 21 leaves threads waiting for the other carrier for good.) It ends with its input.
 */
public final class VirtualPoolsProbe {
    private static final int BATCHES = 100;
    private static final int BATCH = 1_000;
    private static final int UNIT = 1_000_000;

    private static volatile boolean isOver;

    private VirtualPoolsProbe() {}

    public static void main(String[] arguments) throws Exception {
        runAll(10, number -> "ending-" + number, () -> Spin.steps(UNIT));
        CountDownLatch begun = new CountDownLatch(4);
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch names = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            ReflectedVirtualThreads.start("parked-" + i, () -> await(begun, never));
        }
        ReflectedVirtualThreads.start("mounted", () -> {
            await(begun, names);
            while (!isOver) {
                Spin.steps(UNIT);
            }
        });
        begun.await();
        for (int i = 0; i < BATCHES; i++) {
            String batch = lettered(i);
            runAll(BATCH, number -> lettered(number) + " of " + batch, () -> Spin.steps(1));
        }
        names.countDown();
        EchoProbe.awaitEndOfInput();
        isOver = true;
        never.countDown();
    }

    /** Names that differ by digits are one pool's. */
    private static String lettered(int number) {
        StringBuilder letters = new StringBuilder();
        for (char digit : Integer.toString(number).toCharArray()) {
            letters.append((char) (digit - '0' + 'q'));
        }
        return letters.toString();
    }

    private static void runAll(int count, IntFunction<String> name, Runnable task) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            ReflectedVirtualThreads.start(name.apply(i), () -> {
                task.run();
                ended.countDown();
            });
        }
        ended.await();
    }

    private static void await(CountDownLatch begun, CountDownLatch latch) {
        begun.countDown();
        Parked.awaitUninterrupted(latch);
    }
}
