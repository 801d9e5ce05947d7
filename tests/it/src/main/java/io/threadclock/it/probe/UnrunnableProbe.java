// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;

/**
 * Has the agent measure what cannot be run, as where the JDK has linked its class wrongly; with an argument, after
 * something that can. Prints whether the next virtual thread is measured.
 */
public final class UnrunnableProbe {
    private UnrunnableProbe() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            measured(() -> {}).run();
        }
        Runnable unrunnable = measured(() -> {
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

    private static Runnable measured(Runnable mount) throws ReflectiveOperationException {
        return (Runnable) Class.forName("io.threadclock.boot.VirtualClocks")
                .getMethod("of", Runnable.class)
                .invoke(null, mount);
    }
}
