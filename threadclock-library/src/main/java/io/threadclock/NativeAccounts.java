// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/** The native functions of {@code jvm/java_accounts.c}. */
final class NativeAccounts {
    private NativeAccounts() {}

    /**
     * A method handle that gets the Runnable by which the JDK runs a virtual thread, from the thread; or a text: why there is
     * none. To be called before the others.
     */
    static native Object runnableGetter();

    /** Has a virtual thread run by another one. It must be of the very class that has the field. */
    static native void setRunnable(Thread thread, Runnable runnable);

    /** The calling thread's, as the kernel numbers it. */
    static native int tid();

    /** Writes CPU and user time of a thread of this process. Returns 0, or a negative errno. */
    static native int observe(int tid, Total times);
}
