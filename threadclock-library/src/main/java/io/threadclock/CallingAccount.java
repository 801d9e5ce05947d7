// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * The account of the calling virtual thread: one of this library's, or the agent's. Each reading throws an {@link
 * UnsupportedOperationException} if the thread has none that can be read.
 */
final class CallingAccount {
    private CallingAccount() {}

    /** Whether the calling thread has an account that can be read. */
    static boolean canBeRead() {
        Runnable runnable = own();
        return runnable instanceof LibraryAccount
                ? ((LibraryAccount) runnable).isMounted()
                : AgentAccounts.has(runnable) && AgentAccounts.isMounted(runnable);
    }

    static long cpuTimeNs() {
        Runnable runnable = own();
        return runnable instanceof LibraryAccount
                ? mounted((LibraryAccount) runnable).cpuTimeNs()
                : AgentAccounts.cpuTimeNs(mounted(runnable));
    }

    static long userTimeNs() {
        Runnable runnable = own();
        return runnable instanceof LibraryAccount
                ? mounted((LibraryAccount) runnable).userTimeNs()
                : AgentAccounts.userTimeNs(mounted(runnable));
    }

    static long systemTimeNs() {
        Runnable runnable = own();
        return runnable instanceof LibraryAccount
                ? mounted((LibraryAccount) runnable).systemTimeNs()
                : AgentAccounts.systemTimeNs(mounted(runnable));
    }

    /** Returns 0, or a negative errno. */
    static int read(TimesHolder holder) {
        Runnable runnable = own();
        return runnable instanceof LibraryAccount
                ? mounted((LibraryAccount) runnable).read(holder)
                : holder.readBy(mounted(runnable));
    }

    /** Writes CPU, user and system time to an array of three. Returns 0, or a negative errno. */
    static int read(long[] timesNs) {
        Runnable runnable = own();
        return runnable instanceof LibraryAccount
                ? mounted((LibraryAccount) runnable).read(timesNs)
                : AgentAccounts.read(mounted(runnable), timesNs);
    }

    private static Runnable own() {
        return Accounting.runnableOf(Thread.currentThread());
    }

    private static LibraryAccount mounted(LibraryAccount account) {
        if (!account.isMounted()) {
            throw Accounting.refusal();
        }
        return account;
    }

    private static Runnable mounted(Runnable runnable) {
        if (!AgentAccounts.has(runnable) || !AgentAccounts.isMounted(runnable)) {
            throw Accounting.refusal();
        }
        return runnable;
    }
}
