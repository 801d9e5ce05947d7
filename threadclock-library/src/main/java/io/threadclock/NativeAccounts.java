// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.invoke.MethodHandle;

/** The native functions of {@code jvm/java_accounts.c}. */
final class NativeAccounts {
    private NativeAccounts() {}

    /**
     * Returns a method handle that gets the Runnable by which the JDK runs a virtual thread from that thread; or a text
     * that says why there is none. Call it before the others.
     */
    static native Object runnableGetter();

    /**
     * Sets the Runnable by which the JDK runs a virtual thread. The thread must be of exactly the class that declares the
     * field.
     */
    static native void setRunnable(Thread thread, Runnable runnable);

    /**
     * Handles of {@code ThreadContainers.root()}, and {@code children()} and {@code threads()} of a container; null: this JDK
     * has others.
     */
    static native MethodHandle[] containerHandles();

    /** The tid of the calling thread. */
    static native int tid();

    /** Writes CPU and user time of a thread of this process. Returns 0, or a negative errno. */
    static native int observe(int tid, Total times);
}
