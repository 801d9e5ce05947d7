// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.questdb.griffin.SqlException;
import io.threadclock.harness.Exchange;
import io.threadclock.lab.program.Breaches.Breach;
import io.threadclock.lab.program.Breaches.Counts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import one.profiler.AsyncProfiler;

/**
 * The demo's engine at work, while everybody reads everybody's times, threads come and go, and a profiler runs. Answers
 * each {@link Request} with the {@link Counts} so far.
 *
 * <p>Arguments: the directory for the server's files, and the number of rows to ingest.
 */
public final class SoakProgram {
    private static final int WORKERS = 2;

    private final TradeStore store;
    private final Breaches breaches = new Breaches();
    private final ReadWriteLock stage = new ReentrantReadWriteLock();
    private final List<TradeClient> clients = new ArrayList<>();
    private final List<Actor> actors = new ArrayList<>();

    private SoakProgram(TradeStore store) {
        this.store = store;
    }

    /** {@code number} is that of the era, see {@link Kind#ERA}. */
    public record Request(Kind kind, long number) {
        public Request(Kind kind) {
            this(kind, 0);
        }

        /** The kinds of requests. */
        public enum Kind {
            /** The agent has been attached to (an odd number), or is about to be detached from (an even one). */
            ERA,
            /** All threads rest until {@link #GO_ON}, so that the process can be examined. */
            REST,
            GO_ON,
            COUNTS
        }
    }

    public static void main(String[] arguments) throws Exception {
        KernelClock.load();
        try (TradeStore store = TradeStore.start(Path.of(arguments[0]))) {
            store.ingestHistory(Integer.parseInt(arguments[1]));
            SoakProgram program = new SoakProgram(store);
            program.start();
            Exchange.answerEach(Request.class, program::answer);
            program.end();
        }
    }

    private void start() throws Exception {
        List<ObservedThread> targets = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            TradeClient client = new TradeClient(store, i);
            ObservedThread target = new ObservedThread(breaches);
            clients.add(client);
            targets.add(target);
            act("worker-" + i, new EngineStep(client, breaches, target));
        }
        for (OthersStep.Way way : OthersStep.Way.values()) {
            act("reader-" + way, new OthersStep(breaches, targets, way));
        }
        act("churning", new ShortLivedThreads.Platform(breaches));
        act("profiling", new ProfilerStep());
        if (ShortLivedThreads.Virtual.areAvailable()) {
            act("virtual", new ShortLivedThreads.Virtual(breaches));
        }
        actors.forEach(Actor::start);
    }

    private void act(String name, Step step) {
        actors.add(new Actor(name, step, stage, breaches));
    }

    private Counts answer(Request request) {
        switch (request.kind()) {
            case ERA -> Era.begin(request.number());
            case REST -> rest();
            case GO_ON -> stage.writeLock().unlock();
            case COUNTS -> {}
        }
        return breaches.counts();
    }

    /** No thread works then, and there is no garbage. */
    private void rest() {
        stage.writeLock().lock();
        try {
            store.dropNewTrades();
        } catch (SqlException refused) {
            breaches.add(Breach.EXCEPTION, "dropping the new trades: " + refused);
        }
        System.gc();
    }

    private void end() throws Exception {
        for (Actor actor : actors) {
            actor.end();
        }
        for (TradeClient client : clients) {
            client.close();
        }
    }

    /** A unit of the engine's work, and readings after it. */
    private static final class EngineStep implements Step {
        /** The pause between batches, without which the disk would fill. */
        private static final long BATCH_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

        private final TradeClient client;
        private final ObservedThread target;
        private final OwnReader reader;
        private long turn;
        private long nextBatchNs = System.nanoTime();
        /** The results, kept so that no compiler can remove the work. */
        private double found;

        EngineStep(TradeClient client, Breaches breaches, ObservedThread target) {
            this.client = client;
            this.target = target;
            this.reader = new OwnReader(breaches, target);
        }

        @Override
        public void take() throws Exception {
            if (target.thread() == null) {
                target.isCallingThread();
            }
            if (System.nanoTime() - nextBatchNs < 0) {
                found += client.query(turn++);
            } else {
                client.ingest();
                nextBatchNs = System.nanoTime() + BATCH_EVERY_NS;
            }
            reader.read();
        }
    }

    /** A profiler that interrupts the threads a thousand times a second, by one of its timers after the other. */
    private static final class ProfilerStep implements Step {
        private static final long PROFILED_MS = 500;
        private static final long PAUSE_MS = 100;

        private final AsyncProfiler profiler = AsyncProfiler.getInstance();
        private final Deque<String> events = new ArrayDeque<>(List.of("ctimer", "itimer", "cpu-clock"));

        @Override
        public void take() throws IOException, InterruptedException {
            String event = events.removeFirst();
            if (start(event)) {
                events.addLast(event);
                TimeUnit.MILLISECONDS.sleep(PROFILED_MS);
                profiler.execute("stop");
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }

        /**
         * False if the kernel refuses this event (because of a seccomp filter, for instance). It does not refuse the
         * timers.
         */
        private boolean start(String event) throws IOException {
            try {
                profiler.execute("start,event=" + event + ",interval=1ms");
                return true;
            } catch (IllegalStateException refused) {
                if (events.isEmpty()) {
                    throw refused;
                }
                return false;
            }
        }
    }

    /** A thread that repeats a step, and rests while the write lock is held. */
    private static final class Actor extends Thread {
        private final Step step;
        private final ReadWriteLock stage;
        private final Breaches breaches;
        private volatile boolean ending;

        Actor(String name, Step step, ReadWriteLock stage, Breaches breaches) {
            super(name);
            this.step = step;
            this.stage = stage;
            this.breaches = breaches;
            setDaemon(true);
        }

        void end() throws InterruptedException {
            ending = true;
            join();
        }

        @Override
        public void run() {
            while (!ending) {
                stage.readLock().lock();
                try {
                    step.take();
                } catch (Exception | LinkageError thrown) {
                    breaches.add(Breach.EXCEPTION, getName() + ": " + thrown);
                } finally {
                    stage.readLock().unlock();
                }
            }
        }
    }

    /** Takes well under a second, and leaves no thread behind. */
    @FunctionalInterface
    interface Step {
        void take() throws Exception;
    }

    /**
     * The number of times that the agent has come and gone. ThreadMXBean's answers are only ordered as long as one
     * clock gives them: in an odd era that is threadclock's, in an even one the JDK's or both in turn.
     */
    static final class Era {
        private static volatile long number;

        private Era() {}

        static long now() {
            return number;
        }

        static void begin(long next) {
            number = next;
        }

        static boolean isOfThreadclock(long era) {
            return era % 2 == 1;
        }
    }
}
