/* SPDX-License-Identifier: Apache-2.0 */
package io.threadclock.agent;

import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;

/** The clocks of carriers, by natives of src/main/c/jvm/agent_accounts.c. Times are ns, or a negative errno. */
final class AgentClock extends CarrierClock {
    static final AgentClock NATIVE = new AgentClock();

    /** The greatest errno. A result below its negative is a time that a source for comparison returned. */
    private static final int MAX_ERRNO = 4095;

    private static final Class<?> MOUNTED = classOfVirtualThreads();

    private AgentClock() {}

    private static Class<?> classOfVirtualThreads() {
        try {
            return Class.forName("java.lang.VirtualThread", false, null);
        } catch (ClassNotFoundException impossible) { // its constructor is about to be changed
            throw new AssertionError(impossible);
        }
    }

    @Override
    boolean isOnCarrier() {
        return Thread.currentThread().getClass() == MOUNTED;
    }

    @Override
    ByteBuffer page() {
        return newPage();
    }

    @Override
    void forgetCarrier() {
        super.forgetCarrier();
        leavePage();
    }

    @Override
    int read(long address, int next) {
        return readTo(address, next);
    }

    @Override
    int poolNamed(String name) {
        return numberOfPool(name);
    }

    @Override
    MethodHandle threadGetter(Class<?> type) {
        return getterOf(type);
    }

    @Override
    int observe(int tid, Total times) {
        return readOther(tid, times);
    }

    @Override
    long cpuTimeNs() {
        return figure(cpuNs());
    }

    @Override
    long userTimeNs() {
        return figure(userNs());
    }

    @Override
    long systemTimeNs() {
        return figure(systemNs());
    }

    @Override
    int copy(long[] timesNs) {
        return copyTo(timesNs);
    }

    @Override
    RuntimeException refused(int error) {
        return new IllegalStateException("reading the carrier's CPU clock failed: errno " + -error);
    }

    @Override
    RuntimeException unreadable() {
        return new IllegalStateException("reading the carrier's CPU clock from another thread failed");
    }

    @Override
    RuntimeException lost() {
        return new UnsupportedOperationException("the total of this virtual thread is lost");
    }

    private long figure(long answer) {
        if (answer < 0 && answer >= -MAX_ERRNO) {
            throw refused((int) answer);
        }
        return answer;
    }

    private static native ByteBuffer newPage();

    private static native void leavePage();

    private static native int readTo(long address, int next);

    private static native int numberOfPool(String name);

    private static native MethodHandle getterOf(Class<?> type);

    private static native int readOther(int tid, Total times);

    private static native long cpuNs();

    private static native long userNs();

    private static native long systemNs();

    private static native int copyTo(long[] timesNs);
}
