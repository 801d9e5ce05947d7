// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;

/** The native functions of {@code jvm/java_accounts.c}. */
final class NativeAccounts {
    private NativeAccounts() {}

    /**
     * Returns a method handle that gets the Runnable by which the JDK runs a virtual thread from that thread; or a text
     * that says why there is none. Call it before the others.
     */
    static native Object runnableGetter();

    /**
     * Handles of {@code getUnsafe()}, {@code objectFieldOffset()} of a class and a name, and {@code putReferenceRelease()}
     * of the JDK's own Unsafe; null: this JDK has others.
     */
    static native MethodHandle[] fieldHandles();

    /**
     * Handles of {@code ThreadContainers.root()}, and {@code children()} and {@code threads()} of a container; null: this JDK
     * has others.
     */
    static native MethodHandle[] containerHandles();

    /**
     * Returns a method handle that gets the thread from a Runnable of this class, by which the JDK runs virtual threads; null
     * if the class is another one.
     */
    static native MethodHandle threadGetter(Class<?> runnable);

    /** The page of the calling carrier, or null; {@link CarrierClock} has its layout. */
    static native ByteBuffer page();

    /** Reads the calling carrier's clock to its page, and books. Returns 0, or a negative errno. */
    static native int read(long address, int next);

    static native int poolNamed(String name);

    /** Writes what each pool has used: {@link VirtualPoolTimes} has the layout. False: no carrier has had an accounted thread. */
    static native boolean pools(long[] totals);

    /** The name of a pool; "" if it has none, and null if there is no such pool yet. */
    static native String poolName(int pool);

    /** The tid of the calling thread. */
    static native int tid();

    /** Writes CPU and user time of a thread of this process. Returns 0, or a negative errno. */
    static native int observe(int tid, Total times);
}
