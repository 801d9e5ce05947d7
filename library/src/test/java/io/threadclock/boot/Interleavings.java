// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Runs actors in every order in which their steps can follow one another. One actor runs at a time, from one
 * {@link #point()} to the next.
 */
final class Interleavings {
    private static final ThreadLocal<Actor> ACTOR = new ThreadLocal<>();

    /** For each step, which of the actors that could go on does. */
    private final List<Integer> choices = new ArrayList<>();

    private final List<Integer> alternatives = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Semaphore allAreOver = new Semaphore(0);
    private List<Actor> actors;
    private int step;

    private Interleavings() {}

    /** Actors that run at the same time, and a check that must hold afterwards. */
    record Scenario(List<Actor> actors, Runnable judge) {}

    /** Returns how many orders there were. Each order runs on a new scenario. */
    static int explore(Supplier<Scenario> scenarios) throws InterruptedException {
        Interleavings all = new Interleavings();
        try {
            return all.count(scenarios);
        } finally {
            all.threads.shutdownNow();
        }
    }

    private int count(Supplier<Scenario> scenarios) throws InterruptedException {
        int count = 0;
        do {
            Scenario scenario = scenarios.get();
            run(scenario.actors());
            scenario.judge().run();
            count++;
        } while (hasNext());
        return count;
    }

    /** Ends a step of the calling actor. Does nothing in any other thread. */
    static void point() {
        Actor actor = ACTOR.get();
        if (actor != null) {
            actor.pass();
        }
    }

    private void run(List<Actor> actors) throws InterruptedException {
        actors.forEach(actor -> actor.all = this);
        this.actors = actors;
        step = 0;
        next().go();
        allAreOver.acquire();
        for (Actor actor : actors) {
            if (actor.failure != null) {
                throw new AssertionError("an actor failed: " + actor.failure, actor.failure);
            }
        }
    }

    /** Returns who does the next step; null if all have ended. Only the actor that runs calls it. */
    private Actor next() {
        List<Actor> able = actors.stream().filter(Actor::isAble).toList();
        if (able.isEmpty()) {
            return null;
        }
        if (step == choices.size()) {
            choices.add(0);
            alternatives.add(able.size());
        }
        return able.get(choices.get(step++));
    }

    private boolean hasNext() {
        for (int last = choices.size() - 1; last >= 0; last--) {
            int next = choices.remove(last) + 1;
            int count = alternatives.remove(last);
            if (next < count) {
                choices.add(next);
                alternatives.add(count);
                return true;
            }
        }
        return false;
    }

    static final class Actor implements Runnable {
        private final Semaphore mayRun = new Semaphore(0);
        private final BooleanSupplier mayBegin;
        private final Runnable work;
        private Interleavings all;
        private volatile boolean hasBegun;
        private volatile boolean isOver;
        private volatile Throwable failure;

        Actor(BooleanSupplier mayBegin, Runnable work) {
            this.mayBegin = mayBegin;
            this.work = work;
        }

        private boolean isAble() {
            return !isOver && (hasBegun || mayBegin.getAsBoolean());
        }

        private void go() {
            if (hasBegun) {
                mayRun.release();
            } else {
                hasBegun = true;
                all.threads.execute(this);
            }
        }

        /** Lets the next one run, unless it is this one. */
        private void pass() {
            Actor next = all.next();
            if (next != this) {
                next.go();
                mayRun.acquireUninterruptibly();
            }
        }

        @Override
        public void run() {
            ACTOR.set(this);
            try {
                work.run();
            } catch (Throwable failed) {
                failure = failed;
            } finally {
                ACTOR.remove();
                isOver = true;
                Actor next = all.next();
                if (next == null) {
                    all.allAreOver.release();
                } else {
                    next.go();
                }
            }
        }
    }
}
