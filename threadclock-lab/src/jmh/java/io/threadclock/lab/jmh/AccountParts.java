// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmh;

import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.ThreadClock;
import io.threadclock.TimesHolder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What does a part of an account cost, beside the readings that it needs? With JMH's option {@code -t}, all threads use one
 * account. With its gc profiler, only {@link #newAccount} and {@link #read} may allocate.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AccountParts {
    private final CpuAccount account = new CpuAccount();
    private final CpuAccount other = new CpuAccount();

    @Setup
    public void check(LibraryBinding checked) {}

    /** What two parts of time need: the thread's clock and the clock on the wall, each twice. */
    @Benchmark
    public long twoReadings(Holder mine) {
        long beginNs = System.nanoTime();
        ThreadClock.read(mine.holder);
        long cpuNs = mine.holder.cpuTimeNs();
        ThreadClock.read(mine.holder);
        return mine.holder.cpuTimeNs() - cpuNs + System.nanoTime() - beginNs;
    }

    @Benchmark
    public void enterClose() {
        account.enter().close();
    }

    @Benchmark
    @SuppressWarnings("try")
    public void nestedInItself() {
        try (CpuAccount.Part outer = account.enter();
                CpuAccount.Part inner = account.enter()) {}
    }

    @Benchmark
    @SuppressWarnings("try")
    public void nestedInAnother() {
        try (CpuAccount.Part outer = account.enter();
                CpuAccount.Part inner = other.enter()) {}
    }

    /** As for a request that one thread serves. */
    @Benchmark
    public CpuAccount newAccount() {
        CpuAccount request = new CpuAccount();
        request.enter().close();
        return request;
    }

    @Benchmark
    public AccountUsage read() {
        return account.read();
    }

    /** There is one for each thread. */
    @State(Scope.Thread)
    public static class Holder {
        final TimesHolder holder = new TimesHolder();
    }
}
