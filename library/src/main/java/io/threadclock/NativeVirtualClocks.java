// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.invoke.MethodHandle;

/** The native functions of {@code jvm/java_virtual_clocks.c}. */
final class NativeVirtualClocks {
    private NativeVirtualClocks() {}

    /**
     * Gives the boot loader the classes of clocks, unless it has them. Returns
     * {@code io.threadclock.boot.VirtualClocks}, or a text that says why there are none.
     *
     * @param critical {@link CallingThread#criticalHandles()}, by which clocks read if it is this copy that brings the
     *     classes
     */
    static native Object prepare(MethodHandle[] critical);

    /**
     * Handles of {@code ThreadContainers.root()}, and {@code children()} and {@code threads()} of a container; null:
     * this JDK has others.
     */
    static native MethodHandle[] containerHandles();
}
