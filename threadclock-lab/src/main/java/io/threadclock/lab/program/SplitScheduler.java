// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * Divides a CPU among splits, as a distributed query engine does: each split has a virtual thread, one split at a time runs
 * for a quantum, and then waits; the split that has used the least time runs next. That is CPU time if its work is
 * attributed, and otherwise the wall time of its quanta.
 */
final class SplitScheduler {
    private final PriorityQueue<Split> waiting = new PriorityQueue<>(Comparator.comparingLong(Split::usedNs));
    private Quantum quantum;
    private int quantaLeft;
    private CompletableFuture<Void> done;

    /** Work that a split does in one go. */
    interface Quantum {
        void run(TradeClient client, Attribution attribution) throws Exception;
    }

    /** Starts a split for each client. */
    SplitScheduler(ThreadFactory factory, List<TradeClient> clients, Supplier<Attribution> attribution) {
        for (TradeClient client : clients) {
            Split split = new Split(client, attribution.get());
            waiting.add(split);
            factory.newThread(split::runQuanta).start();
        }
    }

    /**
     * Has splits run so many quanta, and waits until they have. One thread may call it at a time.
     *
     * @throws ExecutionException if a split has failed; the scheduler is then of no use any more
     */
    void run(int quanta, Quantum work) throws InterruptedException, ExecutionException {
        quantum = work;
        quantaLeft = quanta;
        done = new CompletableFuture<>();
        waiting.remove().turn.release();
        done.get();
    }

    /** One split after the other calls this. The semaphores make what one has written visible to the next. */
    private void runNextAfter(Split split) {
        waiting.add(split);
        quantaLeft--;
        if (quantaLeft == 0) {
            done.complete(null);
        } else {
            waiting.remove().turn.release();
        }
    }

    private final class Split {
        private final TradeClient client;
        private final Attribution attribution;
        private final Semaphore turn = new Semaphore(0);
        private long usedNs;

        Split(TradeClient client, Attribution attribution) {
            this.client = client;
            this.attribution = attribution;
        }

        long usedNs() {
            return usedNs;
        }

        void runQuanta() {
            try {
                while (true) {
                    turn.acquire();
                    usedNs += runQuantum();
                    runNextAfter(this);
                }
            } catch (Throwable failure) {
                done.completeExceptionally(failure);
            }
        }

        /** It may read as 0 ns: after steal, a carrier's clock is ahead of the kernel, and stands still until the kernel has caught up. */
        private long runQuantum() throws Exception {
            long beforeNs = attribution.usedNs();
            quantum.run(client, attribution);
            long quantumNs = attribution.usedNs() - beforeNs;
            if (quantumNs < 0) {
                throw new IllegalStateException("a quantum has used " + quantumNs + " ns: is its thread accounted?");
            }
            return quantumNs;
        }
    }
}
