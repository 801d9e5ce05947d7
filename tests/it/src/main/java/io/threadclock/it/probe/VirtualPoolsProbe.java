// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;

/**
 * Runs virtual threads of several pools: ten that work and end; three that stay parked; 100,000 with names of which no two
 * are of one pool; and one, begun before these, that stays on its carrier after them. (Beside one that stays there, JDK 21
 * leaves threads waiting for the other carrier for good.) It ends with its input.
 */
public final class VirtualPoolsProbe {
    private static final int BATCHES = 100;
    private static final int BATCH = 1_000;
    private static final int UNIT = 1_000_000;

    private static volatile boolean isOver;
    private static volatile long result;

    private VirtualPoolsProbe() {}

    public static void main(String[] arguments) throws Exception {
        runAll(10, number -> "ending-" + number, () -> work(UNIT));
        CountDownLatch begun = new CountDownLatch(4);
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch names = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            start("parked-" + i, () -> await(begun, never));
        }
        start("mounted", () -> {
            await(begun, names);
            while (!isOver) {
                work(UNIT);
            }
        });
        begun.await();
        for (int i = 0; i < BATCHES; i++) {
            String batch = lettered(i);
            runAll(BATCH, number -> lettered(number) + " of " + batch, () -> work(1));
        }
        names.countDown();
        System.out.println(EchoProbe.READY);
        while (System.in.read() >= 0) {}
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
            start(name.apply(i), () -> {
                task.run();
                ended.countDown();
            });
        }
        ended.await();
    }

    private static void work(int count) {
        long sum = result;
        for (int i = 0; i < count; i++) {
            sum = sum * 31 + i;
        }
        result = sum;
    }

    private static void await(CountDownLatch begun, CountDownLatch latch) {
        try {
            begun.countDown();
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The name is given after the thread has been made. */
    private static void start(String name, Runnable task) {
        Thread thread = ReflectedVirtualThreads.unstarted(task);
        thread.setName(name);
        thread.start();
    }
}
