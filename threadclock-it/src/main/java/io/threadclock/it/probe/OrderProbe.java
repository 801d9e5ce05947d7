// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * Three threads read one another and compare: one reads itself alone, one the others by id, one all of them by array.
 * They have started, but read nothing yet, at the gate "begin", where the agent may be attached.
 *
 * <p>Argument: the least number of readings of each time by its thread, and by others.
 */
public final class OrderProbe {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int OBSERVERS = 2;
    private static final int READ_BY_EACH = 2;

    private final ReadingOrder.Tallies cpu = new ReadingOrder.Tallies();
    private final ReadingOrder.Tallies user = new ReadingOrder.Tallies();
    private final Tally cpuAfterUser = new Tally();
    private final CountDownLatch beginning = new CountDownLatch(1);
    private final CountDownLatch observers = new CountDownLatch(OBSERVERS);
    private final long readings;
    private final ReadThread observed = readThread(this::readItself);
    private final ReadThread observerById = readThread(this::readById);
    private final ReadThread observerByArray = readThread(this::readByArray);

    private OrderProbe(long readings) {
        this.readings = readings;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        OrderProbe probe = new OrderProbe(Long.parseLong(arguments[0]));
        probe.run();
        probe.cpu.print("cpu");
        probe.user.print("user");
        probe.cpuAfterUser.print("cpuAfterUser");
    }

    private ReadThread readThread(Runnable work) {
        Runnable later = () -> {
            awaitUninterrupted(beginning);
            work.run();
        };
        return new ReadThread(later, new ReadingOrder(cpu), new ReadingOrder(user), cpuAfterUser);
    }

    private void run() throws IOException, InterruptedException {
        ReadThread[] all = {observed, observerById, observerByArray};
        for (ReadThread one : all) {
            one.thread().start();
        }
        Gate.await("begin");
        beginning.countDown();
        for (ReadThread one : all) {
            one.thread().join();
        }
    }

    /** Reads itself as long as others read. */
    private void readItself() {
        Disturbance disturbance = new Disturbance();
        for (long i = 0; i < readings || observers.getCount() > 0; i++) {
            observed.readItself();
            disturbance.next();
        }
    }

    private void readById() {
        observe(() -> {
            observed.readById();
            observerByArray.readById();
            observerById.readItself();
        });
    }

    private void readByArray() {
        ReadThread[] all = {observed, observerByArray, observerById};
        long[] ids = Stream.of(all).mapToLong(one -> one.thread().getId()).toArray();
        ReadingOrder[] users = Stream.of(all).map(ReadThread::user).toArray(ReadingOrder[]::new);
        ReadingOrder[] cpus = Stream.of(all).map(ReadThread::cpu).toArray(ReadingOrder[]::new);
        ArrayReader userTimes = new ArrayReader(THREADS::getThreadUserTime, users, ids, 1);
        ArrayReader cpuTimes = new ArrayReader(THREADS::getThreadCpuTime, cpus, ids, 1);
        observe(() -> {
            userTimes.read();
            cpuTimes.read();
            observerByArray.readItself();
        });
    }

    private void observe(Runnable reading) {
        Disturbance disturbance = new Disturbance();
        for (long i = 0; i < readings; i += OBSERVERS * READ_BY_EACH) {
            reading.run();
            disturbance.next();
        }
        observers.countDown();
        awaitUninterrupted(observers); // so that nobody reads a thread that has ended
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
