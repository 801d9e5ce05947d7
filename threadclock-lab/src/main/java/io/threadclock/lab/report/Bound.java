// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import java.util.function.DoubleFunction;

/**
 * The bounds of one quantity. A promise is what the documents tell users, with room for a machine that others share: a
 * run that breaks one is wrong. Only bytes, and contenders that take turns in one run, can be promised: what else runs on
 * the machine happens to all of them. An aim is what the machine allows when nothing disturbs it.
 */
enum Bound {
    // On JDKs that parse /proc. The README has 180 to 860 times, by the make of the CPU.
    USER_TIME("user time, stock ÷ this", Sense.AT_LEAST, 50, 700, Figure::ratio),
    CPU_TIME("CPU time, stock ÷ this", Sense.AT_LEAST, 5, 35, Figure::ratio),
    BY_CLOCK("user time, source=clock, stock ÷ this", Sense.AT_LEAST, 2, 25, Figure::ratio),
    MANY_THREADS("stock ÷ this, mean less timer", Sense.AT_LEAST, 20, 300, Figure::ratio),
    PERCENTILES("p50 to p99.99, the least stock ÷ this", Sense.AT_LEAST, Double.NaN, 1, Figure::ratio),
    OTHERS_USER_TIME("stock ÷ this", Sense.AT_LEAST, 5, 20, Figure::ratio),
    ATTRIBUTION_BY_STOCK(
            "attribution of a database's work, share of throughput, stock",
            Sense.AT_LEAST,
            Double.NaN,
            0.05,
            Figure::percent),
    ATTRIBUTION("attribution of a database's work, share of throughput", Sense.AT_MOST, 0.03, 0.005, Figure::percent),
    // On newer ones, which ask the kernel once.
    NEWER_USER_TIME("user time, stock ÷ this", Sense.AT_LEAST, 3, 20, Figure::ratio),

    OTHERS_CPU_TIME("stock ÷ this", Sense.AT_LEAST, Double.NaN, 1, Figure::ratio),
    ARRAY_NS("user time of 1,000 threads in one call", Sense.AT_MOST, Double.NaN, 500, Figure::ns),
    SNAPSHOT_MS("snapshot of 1,000 mostly idle threads, ms", Sense.AT_MOST, Double.NaN, 0.6, Figure::plain),
    THREAD_START("thread start + end", Sense.AT_MOST, Double.NaN, 1.05, Figure::ratio),
    // Loaded by -agentpath, whatever it is slows them by half and more.
    YIELD_ATTACHED("virtual thread's yield", Sense.AT_MOST, 1.5, 1.05, Figure::ratio),
    ATTACH_MS("attach to a JVM with all its threads, ms", Sense.AT_MOST, Double.NaN, 500, Figure::ns),

    SOURCE_IN_C("user + CPU time in C ÷ bare counter", Sense.AT_MOST, 2, 1.2, Figure::ratio),
    WAITS_IN_C(
            "waits with a reading in C, more than the reading alone ÷ bare counter",
            Sense.AT_MOST,
            Double.NaN,
            1.2,
            Figure::ratio),
    WAITS_AFTER_SWITCH_NS(
            "waits in C after a switch, with a descriptor kept, ns", Sense.AT_MOST, Double.NaN, 3000, Figure::ns),
    PROCESS_BYTES("memory of the process, bytes", Sense.AT_MOST, 128 * 1024, 64 * 1024, Figure::ns),
    THREAD_BYTES("memory of a thread, bytes", Sense.AT_MOST, 512, 256, Figure::ns),

    FFM("user time ÷ bare counter in C", Sense.AT_MOST, Double.NaN, 1.6, Figure::ratio),
    JNI("user time ÷ bare counter in C", Sense.AT_MOST, Double.NaN, 2.2, Figure::ratio),
    STOPWATCH("stopwatch ÷ bare counter in C", Sense.AT_MOST, Double.NaN, 3.5, Figure::ratio),
    BEAN("ThreadMXBean's user time ÷ bare counter by JNI", Sense.AT_MOST, Double.NaN, 1.1, Figure::ratio),
    PART_NS("part, more than two readings, ns", Sense.AT_MOST, Double.NaN, 40, Figure::ns),
    SHARED_PART("part of one account on 16 threads ÷ on one", Sense.AT_MOST, Double.NaN, 1.5, Figure::ratio),
    /** An object is 8 bytes at the least; what JMH itself allocates is shared out among the reads. */
    ALLOCATED("allocated by one read, on every path, bytes", Sense.AT_MOST, 0.05, 0.05, Figure::plain),

    SWITCH_NS("accounted − stock, ns", Sense.AT_MOST, Double.NaN, 30, Figure::ns),
    SWITCH("accounted ÷ stock", Sense.AT_MOST, 4, 1.15, Figure::ratio),
    READ_ACCOUNTED("accounted virtual thread ÷ platform thread", Sense.AT_MOST, 4, 2, Figure::ratio),
    STARTED("accounted ÷ stock, throughput", Sense.AT_LEAST, Double.NaN, 0.95, Figure::ratio),
    PARKED_BYTES("accounted − stock", Sense.AT_MOST, 80, 64, Figure::ns),
    /** If each kept the smallest object, it would be 8 bytes; what a full collection leaves differs a little. */
    ENDED_BYTES("accounted − stock", Sense.AT_MOST, 7, 7, Figure::ns),
    VIRTUAL_ATTRIBUTION(
            "attribution of a database's work on virtual threads, share of throughput",
            Sense.AT_MOST,
            0.15,
            0.005,
            Figure::percent),
    SPAN_NS("measured − not, ns", Sense.AT_MOST, 2000, 300, Figure::ns);

    enum Sense {
        AT_LEAST("≥ "),
        AT_MOST("≤ ");

        private final String sign;

        Sense(String sign) {
            this.sign = sign;
        }
    }

    final String quantity;
    final double promise;
    final double aim;
    final DoubleFunction<String> figure;
    private final Sense sense;

    Bound(String quantity, Sense sense, double promise, double aim, DoubleFunction<String> figure) {
        this.quantity = quantity;
        this.sense = sense;
        this.promise = promise;
        this.aim = aim;
        this.figure = figure;
    }

    boolean isPromised() {
        return !Double.isNaN(promise);
    }

    boolean admits(double reached, double bound) {
        return sense == Sense.AT_LEAST ? reached >= bound : reached <= bound;
    }

    /** {@code ≥ 700×}. */
    String text(double bound) {
        return sense.sign + figure.apply(bound);
    }
}
