// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/** {@link ThreadClock} as an interface. */
final class RealCpuClock implements CpuClock {
    static final CpuClock INSTANCE = new RealCpuClock();

    private RealCpuClock() {}

    @Override
    public CpuTimes read() {
        return ThreadClock.read();
    }

    @Override
    public long cpuTimeNs() {
        return ThreadClock.cpuTimeNs();
    }

    @Override
    public long userTimeNs() {
        return ThreadClock.userTimeNs();
    }

    @Override
    public boolean canRead() {
        return ThreadClock.canRead();
    }
}
