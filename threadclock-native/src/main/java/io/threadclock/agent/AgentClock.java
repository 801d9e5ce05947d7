/* SPDX-License-Identifier: Apache-2.0 */
package io.threadclock.agent;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;

/** The clocks of carriers, by natives of src/main/c/jvm/agent_accounts.c. Times are ns, or a negative errno. */
final class AgentClock extends CarrierClock {
    static final AgentClock NATIVE = new AgentClock();

    /** The greatest errno. A result below its negative is a time that a source for comparison returned. */
    private static final int MAX_ERRNO = 4095;

    private static final Class<?> MOUNTED = classOfVirtualThreads();

    /** Sets the field; null: this JDK has another Unsafe. A constant, so that a compiled constructor has one store for it. */
    private static final MethodHandle SETTER = setter();

    private AgentClock() {}

    private static Class<?> classOfVirtualThreads() {
        try {
            return Class.forName("java.lang.VirtualThread", false, null);
        } catch (ClassNotFoundException impossible) { // its constructor is about to be changed
            throw new AssertionError(impossible);
        }
    }

    /** The field is final, so that no other handle sets it. */
    private static MethodHandle setter() {
        MethodHandle[] handles = handlesOfUnsafe();
        if (handles == null) {
            return null;
        }
        try {
            Object unsafe = handles[0].invoke();
            long offset = (long) handles[1].invoke(unsafe, MOUNTED, "runContinuation");
            return MethodHandles.insertArguments(handles[2].bindTo(unsafe), 1, offset)
                    .asType(MethodType.methodType(void.class, Thread.class, Runnable.class));
        } catch (Throwable another) {
            return null;
        }
    }

    /**
     * Whether the field can be set. No thread is made to try it, because that would initialize the class of virtual threads
     * before main(); but what a call of such a handle needs is there afterwards.
     */
    static boolean canSet() {
        MethodType type = MethodType.methodType(void.class, Thread.class, Runnable.class);
        try {
            MethodHandle other = MethodHandles.lookup().findStatic(AgentClock.class, "leave", type);
            other.invokeExact((Thread) null, (Runnable) null);
        } catch (Throwable another) {
            return false;
        }
        return SETTER != null;
    }

    private static void leave(Thread thread, Runnable runnable) {}

    /** Sets the field by which the JDK runs a thread, of the class {@code java.lang.VirtualThread}. */
    static void setRunnable(Thread thread, Runnable runnable) {
        try {
            SETTER.invokeExact(thread, runnable);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable undeclared) {
            throw new AssertionError("a setter declares no exception", undeclared);
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

    private static native MethodHandle[] handlesOfUnsafe();

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
