// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

import io.questdb.griffin.SqlException;
import io.threadclock.harness.Exchange;
import io.threadclock.lab.program.TradeClient;
import io.threadclock.lab.program.TradeStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The demo's engine at work, while everybody reads everybody's times, threads come and go, and a profiler runs. Answers
 * each {@link Request} with the {@link Counts} so far.
 *
 * <p>Arguments: the directory for the server's files, and the number of rows to ingest.
 */
public final class SoakProgram {
    /** The JVM option that names what {@link KernelClock} asks the kernel by. */
    public static final String LIBRARY_PROPERTY = KernelClock.FILE_PROPERTY;

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

        /** What is asked for. */
        public enum Kind {
            /** The agent has been attached to (an odd number), or is about to be detached from (an even one). */
            ERA,
            /** To be looked at: until {@link #GO_ON} nobody does anything. */
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
        List<Target> targets = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            TradeClient client = new TradeClient(store, i);
            Target target = new Target(breaches);
            clients.add(client);
            targets.add(target);
            act("worker-" + i, new EngineStep(client, breaches, target));
        }
        for (OthersStep.Way way : OthersStep.Way.values()) {
            act("reader-" + way, new OthersStep(breaches, targets, way));
        }
        act("churning", new ChurnStep(breaches));
        act("profiling", new ProfilerStep());
        if (VirtualStep.areAvailable()) {
            act("virtual", new VirtualStep(breaches));
        }
        actors.forEach(Actor::start);
    }

    private void act(String name, Actor.Step step) {
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

    /** Nobody does anything then, and there is no garbage. */
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
}
