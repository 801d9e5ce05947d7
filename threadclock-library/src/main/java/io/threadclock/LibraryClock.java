// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;

/** The clocks of carriers, as this library reads them. */
final class LibraryClock extends CarrierClock {
    static final LibraryClock NATIVE = new LibraryClock();

    private LibraryClock() {}

    @Override
    boolean isOnCarrier() {
        return Accounting.hasCarrier();
    }

    @Override
    ByteBuffer page() {
        return NativeAccounts.page();
    }

    @Override
    int read(long address, int next) {
        return CallingThread.readCarrier(address, next);
    }

    @Override
    int poolNamed(String name) {
        return NativeAccounts.poolNamed(name);
    }

    @Override
    MethodHandle threadGetter(Class<?> type) {
        return NativeAccounts.threadGetter(type);
    }

    @Override
    int observe(int tid, Total times) {
        return NativeAccounts.observe(tid, times);
    }

    @Override
    long cpuTimeNs() {
        return ThreadClock.figure(CallingThread.cpuTimeNs());
    }

    @Override
    long userTimeNs() {
        return ThreadClock.figure(CallingThread.userTimeNs());
    }

    @Override
    long systemTimeNs() {
        return ThreadClock.figure(CallingThread.systemTimeNs());
    }

    @Override
    int copy(long[] timesNs) {
        return CallingThread.copy(timesNs);
    }

    @Override
    RuntimeException refused(int error) {
        return ThreadClock.refused(error);
    }

    @Override
    RuntimeException unreadable() {
        return Accounting.unreadable();
    }

    @Override
    RuntimeException lost() {
        return Accounting.refusal();
    }
}
