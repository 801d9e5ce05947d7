// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.harness.Exchange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;

/** Runs a load on accounted virtual threads, and answers what their accounts and the kernel say of each segment. */
public final class SegmentsOfThreads {
    /** Fewer than threads, so that each thread goes from one to the other, and seldom begins before it has left the last. */
    private static final int CARRIERS = 2;

    private static final int THREADS = 4;

    private static final long INTERRUPT_EACH_NS = 200_000;

    private SegmentsOfThreads() {}

    /** @param pieces of work of each thread */
    public record Request(SegmentLoad load, int pieces) {}

    /**
     * CPU time in ns.
     *
     * @param restNs of the carriers, between segments
     * @param carriersNs of the carriers, by the kernel
     */
    public record Answer(List<SegmentTruth.Segment> segments, long restNs, long carriersNs) {
        /**
         * The part of the carriers' CPU time by which all accounts and the carriers' rest are too much, or too little. Each end of a
         * segment is taken to be in the middle between the kernel's readings.
         */
        public double unconserved() {
            return (sumNs(SegmentTruth.Segment::accountNs) + restNs + apartNs() / 2.0 - carriersNs) / carriersNs;
        }

        /** How exactly that is known. */
        public double uncertain() {
            return apartNs() / 2.0 / carriersNs;
        }

        private long apartNs() {
            return sumNs(SegmentTruth.Segment::outsideNs) - sumNs(SegmentTruth.Segment::insideNs);
        }

        private long sumNs(ToLongFunction<SegmentTruth.Segment> ns) {
            return segments.stream().mapToLong(ns).sum();
        }
    }

    public static void main(String[] arguments) throws IOException {
        KernelClock.load();
        Executor carriers = new ForkJoinPool(CARRIERS, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
        Exchange.answerEach(Request.class, request -> run(request, carriers));
    }

    private static Answer run(Request request, Executor carriers) {
        try {
            return compared(request, carriers);
        } catch (IOException | InterruptedException refused) {
            throw new IllegalStateException("running " + request, refused);
        }
    }

    private static Answer compared(Request request, Executor carriers) throws IOException, InterruptedException {
        SegmentTruth truth = new SegmentTruth();
        List<SegmentPlace> places = new ArrayList<>();
        Object shared = new Object();
        for (int i = 0; i < THREADS; i++) {
            places.add(new SegmentPlace(shared));
        }
        int pieces = request.load().piecesOfAThread(request.pieces());
        for (int turn = 0; turn < request.pieces() / pieces; turn++) {
            runToTheirEnd(
                    request.load(),
                    places.stream()
                            .map(place ->
                                    SegmentReference.of(truth, carriers, () -> work(request.load(), pieces, place)))
                            .toList());
        }
        for (SegmentPlace place : places) {
            place.close();
        }
        long restNs = truth.restNs();
        return new Answer(truth.segments(), restNs, truth.carriersNs());
    }

    private static void work(SegmentLoad load, int pieces, SegmentPlace place) {
        try {
            for (int i = 0; i < pieces; i++) {
                SegmentPlace.work();
                load.pause(place);
            }
        } catch (IOException | InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static void runToTheirEnd(SegmentLoad load, List<SegmentReference> threads) throws InterruptedException {
        for (SegmentReference each : threads) {
            each.thread().setUncaughtExceptionHandler(SegmentsOfThreads::report);
            each.thread().start();
        }
        while (load == SegmentLoad.INTERRUPT
                && threads.stream().anyMatch(each -> each.thread().isAlive())) {
            threads.stream()
                    .map(SegmentReference::thread)
                    .filter(each -> each.getState() == Thread.State.TIMED_WAITING)
                    .forEach(Thread::interrupt);
            LockSupport.parkNanos(INTERRUPT_EACH_NS);
        }
        for (SegmentReference each : threads) {
            each.end();
        }
    }

    private static void report(Thread thread, Throwable thrown) {
        if (!(thrown instanceof SegmentLoad.EndOfThread)) {
            thrown.printStackTrace();
        }
    }
}
