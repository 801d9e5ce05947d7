// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Access by the JDK's own Unsafe: to the field by which the JDK runs a virtual thread, which is private and final, and
 * to the pages of carriers. The handles are constants, so that a compiled caller has one load or store for each.
 */
final class JdkUnsafe {
    private static final String FIELD = "runContinuation";

    /** The class of virtual threads that mount on carriers. It is not initialized here. */
    static final Class<?> THREAD = classOfThreads();

    private static final MethodHandle GET_RUNNABLE;
    private static final MethodHandle SET_RUNNABLE;

    /** Null, as the others: this JDK has another field, or another Unsafe. */
    private static final MethodHandle GET_LONG;

    static {
        MethodHandle[] found = find(NativeCarrierClock.handlesOfUnsafe());
        GET_RUNNABLE = found[0];
        SET_RUNNABLE = found[1];
        GET_LONG = found[2];
    }

    private JdkUnsafe() {}

    private static Class<?> classOfThreads() {
        try {
            return Class.forName("java.lang.VirtualThread", false, null);
        } catch (ClassNotFoundException impossible) { // who asks for clocks has found it
            throw new AssertionError(impossible);
        }
    }

    private static MethodHandle[] find(MethodHandle[] unsafe) {
        MethodHandle[] none = new MethodHandle[3];
        if (unsafe == null) {
            return none;
        }
        try {
            Object instance = unsafe[0].invoke();
            long offset = (long) unsafe[1].invoke(instance, THREAD, FIELD);
            MethodHandle getter = MethodHandles.insertArguments(unsafe[2].bindTo(instance), 1, offset);
            MethodHandle setter = MethodHandles.insertArguments(unsafe[3].bindTo(instance), 1, offset);
            return new MethodHandle[] {
                getter.asType(MethodType.methodType(Runnable.class, Thread.class)),
                setter.asType(MethodType.methodType(void.class, Thread.class, Runnable.class)),
                unsafe[4].bindTo(instance)
            };
        } catch (Throwable another) {
            return none;
        }
    }

    /**
     * Whether the field can be set. No thread is made to try it, because that would initialize the class of virtual
     * threads before main(); but what a call of such a handle needs is there afterwards.
     */
    static boolean canSetRunnable() {
        MethodType type = MethodType.methodType(void.class, Thread.class, Runnable.class);
        try {
            MethodHandle other = MethodHandles.lookup().findStatic(JdkUnsafe.class, "leave", type);
            other.invokeExact((Thread) null, (Runnable) null);
        } catch (Throwable another) {
            return false;
        }
        return SET_RUNNABLE != null;
    }

    private static void leave(Thread thread, Runnable runnable) {}

    /** The Runnable by which the JDK runs a thread, which must be of exactly the class {@link #THREAD}. */
    static Runnable runnableOf(Thread thread) {
        try {
            return (Runnable) GET_RUNNABLE.invokeExact(thread);
        } catch (Throwable undeclared) {
            throw unexpected(undeclared);
        }
    }

    /** As {@link #runnableOf}. */
    static void setRunnable(Thread thread, Runnable runnable) {
        try {
            SET_RUNNABLE.invokeExact(thread, runnable);
        } catch (Throwable undeclared) {
            throw unexpected(undeclared);
        }
    }

    static long getLong(long address) {
        try {
            return (long) GET_LONG.invokeExact(address);
        } catch (Throwable undeclared) {
            throw unexpected(undeclared);
        }
    }

    private static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error) {
            throw (Error) thrown;
        }
        return thrown instanceof RuntimeException
                ? (RuntimeException) thrown
                : new IllegalStateException("Unsafe declares no exception", thrown);
    }
}
