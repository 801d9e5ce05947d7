// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.invoke.MethodHandle;

/** The native functions of {@code jvm/java_accounts.c}. */
final class NativeAccounts {
    private NativeAccounts() {}

    /**
     * Gives the boot loader the classes of accounts, unless it has them. Returns {@code io.threadclock.boot.Accounts}, or a text
     * that says why there are none.
     *
     * @param critical {@link CallingThread#criticalHandles()}, by which accounts read if it is this copy that brings the classes
     */
    static native Object prepare(MethodHandle[] critical);

    /**
     * Handles of {@code ThreadContainers.root()}, and {@code children()} and {@code threads()} of a container; null: this JDK
     * has others.
     */
    static native MethodHandle[] containerHandles();
}
