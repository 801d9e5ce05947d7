// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.ThreadClock;
import io.threadclock.ThreadMXBeanBoost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Class loaders, each with the library, install the boost at the same moment: each of several pairs once; or two
 * install and uninstall it until the gate "churning" opens, where the agent may come and go.
 */
public final class CopiesLaws {
    /** The least number of installs, however soon the gate opens. */
    private static final int LEAST_INSTALLS = 500;

    private static final int PAIRS = 6;

    private static final AtomicInteger INSTALLS = new AtomicInteger();
    private static volatile boolean stopping;

    void allAreLoaded() throws InterruptedException {
        for (int i = 0; i < PAIRS; i++) {
            loadedPair();
        }
    }

    void oneOfEachPairInstalls() throws InterruptedException {
        for (int i = 0; i < PAIRS; i++) {
            Pair pair = loadedPair();
            pair.atOnce(Copy::install);
            assertThat(pair.count(Copy::isInstalled))
                    .as("copies that are installed")
                    .isEqualTo(1);
            assertThat(pair.first.installs + pair.second.installs)
                    .as("installs")
                    .isEqualTo(1);
            pair.atOnce(Copy::uninstall);
        }
    }

    private static Pair loadedPair() throws InterruptedException {
        Pair pair = new Pair();
        pair.atOnce(Copy::isLoaded);
        assertThat(pair.count(Copy::isLoaded)).as("copies that could be loaded").isEqualTo(2);
        return pair;
    }

    void takeTurns() throws Exception {
        Pair pair = loadedPair();
        List<Thread> threads = new ArrayList<>();
        pair.forEach((own, other) -> threads.add(new Thread(() -> toggle(own, other))));
        threads.forEach(thread -> thread.setDaemon(true));
        threads.forEach(Thread::start);
        Gate.await("churning");
        stopping = true;
        for (Thread thread : threads) {
            thread.join();
        }
        pair.atOnce(Copy::uninstall);
        assertThat(INSTALLS.get()).as("how often the copies have installed").isGreaterThanOrEqualTo(LEAST_INSTALLS);
        assertThat(pair.first.together + pair.second.together)
                .as("how often two were installed at once")
                .isZero();
        assertThat(pair.count(Copy::isInstalled))
                .as("copies that are installed in the end")
                .isZero();
        assertThat(pair.first.callInstall()).as("installing once more").isTrue();
    }

    /**
     * Only this thread lets its copy install, so a copy that is installed afterwards has been installed all the time.
     */
    private static void toggle(Copy own, Copy other) {
        while (!stopping || INSTALLS.get() < LEAST_INSTALLS) {
            own.install();
            boolean isOthers = other.isInstalled();
            own.together += isOthers && own.isInstalled() ? 1 : 0;
            own.uninstall();
        }
    }

    private interface Question {
        boolean of(Copy copy);
    }

    private interface Action {
        void by(Copy copy);
    }

    private interface Meeting {
        void of(Copy own, Copy other);
    }

    private static final class Pair {
        final Copy first = new Copy();
        final Copy second = new Copy();

        void forEach(Meeting meeting) {
            meeting.of(first, second);
            meeting.of(second, first);
        }

        int count(Question question) {
            return (question.of(first) ? 1 : 0) + (question.of(second) ? 1 : 0);
        }

        void atOnce(Action action) throws InterruptedException {
            CyclicBarrier barrier = new CyclicBarrier(2);
            List<Thread> threads = new ArrayList<>();
            forEach((own, other) -> threads.add(new Thread(() -> {
                await(barrier);
                action.by(own);
            })));
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }

        private static void await(CyclicBarrier barrier) {
            try {
                barrier.await();
            } catch (InterruptedException | BrokenBarrierException nobodyDoes) {
                throw new IllegalStateException(nobodyDoes);
            }
        }
    }

    /** The boost of a class loader. */
    private static final class Copy extends IsolatedLibrary {
        int installs;
        int together;

        boolean isLoaded() {
            return (Boolean) call(ThreadClock.class, "isSupported");
        }

        void install() {
            if (callInstall()) {
                installs++;
                INSTALLS.incrementAndGet();
            }
        }

        boolean callInstall() {
            return (Boolean) call(ThreadMXBeanBoost.class, "install");
        }

        void uninstall() {
            call(ThreadMXBeanBoost.class, "uninstall");
        }

        boolean isInstalled() {
            return (Boolean) call(ThreadMXBeanBoost.class, "isInstalled");
        }
    }
}
