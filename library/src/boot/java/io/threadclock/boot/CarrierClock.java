// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

/**
 * The clocks of the platform threads that carry virtual ones. Times are ns; a method that fails returns a negative
 * errno.
 */
abstract class CarrierClock {
    static final int CPU = 0;
    static final int USER = 1;
    static final int SYSTEM = 2;

    private final ThreadLocal<Carrier> carriers = new ThreadLocal<>();

    private final VirtualPools pools = new VirtualPools(this);

    /** The calling thread. */
    Carrier carrier() {
        Carrier carrier = carriers.get();
        if (carrier == null) {
            if (isOnCarrier()) { // the JDK refuses it in a moment
                throw new IllegalStateException("a virtual thread carries none");
            }
            carrier = newCarrier();
            carriers.set(carrier);
        }
        return carrier;
    }

    /** Makes the calling thread no carrier. */
    void forgetCarrier() {
        carriers.remove();
    }

    /** The thread that is mounted by a Runnable of the JDK; null if it is not known. */
    Thread threadOf(Runnable runnable) {
        return MountedThread.of(runnable);
    }

    /** The pool of a thread's name. */
    final int poolOf(Thread thread) {
        return pools.of(thread.getName());
    }

    /** Whether the calling thread is a virtual one that has a carrier. */
    abstract boolean isOnCarrier();

    /** The calling thread, which has a page until it ends. */
    abstract Carrier newCarrier();

    /**
     * Reads the calling carrier's CPU and user time in one reading, and books the time since its last reading.
     *
     * @param next what begins: a pool of {@link VirtualPools}, and its bits
     * @throws IllegalStateException if its clock cannot be read
     */
    abstract void read(Carrier carrier, int next);

    /** The index of the pool with this name; {@link VirtualPools#OTHERS}: there are too many. */
    abstract int poolNamed(String name);

    /**
     * Reads a carrier's CPU and user time from another thread, in one sequence with the carrier's own readings. Returns
     * 0, or -ESRCH if the carrier has ended.
     */
    abstract int observe(int tid, Total times);

    /** CPU time of the carrier that the calling virtual thread is mounted on. */
    abstract long cpuTimeNs();

    abstract long userTimeNs();

    abstract long systemTimeNs();

    /** Reads all three times in one reading. */
    abstract int copy(long[] timesNs);

    /** The exception for a carrier's clock that cannot be read. */
    static IllegalStateException refused(int error) {
        return new IllegalStateException("reading the carrier's CPU clock failed: errno " + -error);
    }
}
