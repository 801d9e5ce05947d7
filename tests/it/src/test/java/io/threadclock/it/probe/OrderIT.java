// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Readings of one thread by others never contradict earlier readings by anybody. Three threads read one another: one
 * reads itself alone, one the others by id, one all of them by array. When the agent may be attached, they have
 * started, but read nothing yet.
 */
@InChild(agent = {InChild.Loading.AGENTPATH, InChild.Loading.ATTACHED})
class OrderIT {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** 2 × 2 M and 5 × 0.5 M: more than 5 M in each direction over the seven JDKs of a run. */
    private static final int READINGS = Amount.of(2_000_000, 500_000, 50_000);

    private static final int OBSERVERS = 2;
    private static final int READ_BY_EACH = 2;

    private static final ReadingOrder.Tallies CPU = new ReadingOrder.Tallies();
    private static final ReadingOrder.Tallies USER = new ReadingOrder.Tallies();
    private static final Tally CPU_AFTER_USER = new Tally();
    private static final CountDownLatch BEGINNING = new CountDownLatch(1);
    private static final CountDownLatch READING_OBSERVERS = new CountDownLatch(OBSERVERS);

    private static final ReadThread OBSERVED = readThread(OrderIT::readItself);
    private static final ReadThread OBSERVER_BY_ID = readThread(OrderIT::readById);
    private static final ReadThread OBSERVER_BY_ARRAY = readThread(OrderIT::readByArray);

    private static ReadThread readThread(Runnable work) {
        Runnable later = () -> {
            Parked.awaitUninterrupted(BEGINNING);
            work.run();
        };
        return new ReadThread(later, new ReadingOrder(CPU), new ReadingOrder(USER), CPU_AFTER_USER);
    }

    @BeforeAll
    static void readOneAnother() throws IOException, InterruptedException {
        ReadThread[] all = {OBSERVED, OBSERVER_BY_ID, OBSERVER_BY_ARRAY};
        for (ReadThread one : all) {
            one.thread().start();
        }
        Gate.await("begin");
        BEGINNING.countDown();
        for (ReadThread one : all) {
            one.thread().join();
        }
    }

    /** Reads itself as long as others read. */
    private static void readItself() {
        Disturbance disturbance = new Disturbance();
        for (long i = 0; i < READINGS || READING_OBSERVERS.getCount() > 0; i++) {
            OBSERVED.readItself();
            disturbance.next();
        }
    }

    private static void readById() {
        observe(() -> {
            OBSERVED.readById();
            OBSERVER_BY_ARRAY.readById();
            OBSERVER_BY_ID.readItself();
        });
    }

    private static void readByArray() {
        ReadThread[] all = {OBSERVED, OBSERVER_BY_ARRAY, OBSERVER_BY_ID};
        long[] ids = Stream.of(all).mapToLong(one -> one.thread().getId()).toArray();
        ReadingOrder[] users = Stream.of(all).map(ReadThread::user).toArray(ReadingOrder[]::new);
        ReadingOrder[] cpus = Stream.of(all).map(ReadThread::cpu).toArray(ReadingOrder[]::new);
        ArrayReader userTimes = new ArrayReader(THREADS::getThreadUserTime, users, ids, 1);
        ArrayReader cpuTimes = new ArrayReader(THREADS::getThreadCpuTime, cpus, ids, 1);
        observe(() -> {
            userTimes.read();
            cpuTimes.read();
            OBSERVER_BY_ARRAY.readItself();
        });
    }

    private static void observe(Runnable reading) {
        Disturbance disturbance = new Disturbance();
        for (long i = 0; i < READINGS; i += OBSERVERS * READ_BY_EACH) {
            reading.run();
            disturbance.next();
        }
        READING_OBSERVERS.countDown();
        Parked.awaitUninterrupted(READING_OBSERVERS); // so that nobody reads a thread that has ended
    }

    @Test
    void ofAThreadsOwnReadingsComesAfterWhatOthersHaveRead() {
        assertNoBreach(CPU.ownAfterOthers, USER.ownAfterOthers, "a thread reads no less of itself than others have");
    }

    @Test
    void ofOthersReadingsComesAfterWhatTheThreadHasRead() {
        assertNoBreach(
                CPU.othersAfterOwn, USER.othersAfterOwn, "others read no less of a thread than it has read of itself");
    }

    @Test
    void ofOneObserverComesAfterWhatAnotherHasRead() {
        assertNoBreach(
                CPU.othersAfterOthers, USER.othersAfterOthers, "others read no less of a thread than others have");
    }

    @Test
    void holdsUserTimeWithinTheCpuTimeReadNext() {
        CPU_AFTER_USER.assertNoBreach("user time never exceeds CPU time");
    }

    private static void assertNoBreach(Tally cpu, Tally user, String law) {
        assertThat(cpu.comparisons()).as("comparisons of CPU time").isGreaterThanOrEqualTo(READINGS);
        assertThat(user.comparisons()).as("comparisons of user time").isGreaterThanOrEqualTo(READINGS);
        cpu.assertNoBreach("CPU time: " + law);
        user.assertNoBreach("user time: " + law);
    }
}
