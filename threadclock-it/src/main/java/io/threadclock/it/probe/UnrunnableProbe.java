// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;

/**
 * Has the agent account what cannot be run, as where the JDK has linked its class wrongly; with an argument, after something
 * that can. Prints whether the next virtual thread is accounted.
 */
public final class UnrunnableProbe {
    private UnrunnableProbe() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            account(() -> {}).run();
        }
        Runnable unrunnable = account(() -> {
            throw new UnsatisfiedLinkError("as from a native that is not bound");
        });
        try {
            unrunnable.run();
        } catch (UnsatisfiedLinkError thrown) {
            Fact.print("thrown", thrown.getMessage());
        }
        ReflectedVirtualThreads.start(() -> Fact.print("next.canRead", ThreadClock.canRead()))
                .join();
    }

    private static Runnable account(Runnable mount) throws ReflectiveOperationException {
        return (Runnable) Class.forName("io.threadclock.boot.Accounts")
                .getMethod("of", Runnable.class)
                .invoke(null, mount);
    }
}
