// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StockClockTest {
    private static final int MANY = 10_000;

    private long cpuNs;
    private long userNs;
    private long livingId = 1;
    private final StockClock clock = new StockClock(bean());

    /** What the bean tells first, and then; and what the clock tells then. */
    @ParameterizedTest
    @CsvSource({
        "what the bean tells while that is consistent, 10, 7, 20, 9, 20, 9",
        "user time up to CPU time, 0, 0, 10, 20, 10, 10",
        "user time that grows by no more than CPU time, 100, 0, 110, 50, 110, 10",
        "no step back, 20, 15, 19, 5, 20, 15"
    })
    void tells(String law, long cpu, long user, long nextCpu, long nextUser, long toldCpu, long toldUser) {
        assertThat(told(cpu, user)).isEqualTo(new CpuTimes(cpu, user));
        assertThat(told(nextCpu, nextUser)).as(law).isEqualTo(new CpuTimes(toldCpu, toldUser));
    }

    @Test
    void catchesUpWithUserTimeThatWasLimited() {
        told(100, 0);
        told(110, 50);
        assertThat(told(200, 50)).isEqualTo(new CpuTimes(200, 50));
    }

    @Test
    void tellsOthersTheSameSequence() {
        told(100, 0);
        long id = Thread.currentThread().getId();
        cpuNs = 110;
        userNs = 50;
        ThreadSample byOther = clock.sample(id, 0, "name", Thread.State.RUNNABLE, 0);
        assertThat(new CpuTimes(byOther.cpuTimeNs(), byOther.userTimeNs())).isEqualTo(new CpuTimes(110, 10));
    }

    @Test
    void forgetsThreadsThatHaveEnded() {
        for (livingId = 1; livingId <= MANY; livingId++) {
            clock.sample(livingId, 0, "name", Thread.State.RUNNABLE, 0);
        }
        assertThat(clock.remembered()).as("threads it remembers, of %d", MANY).isLessThan(MANY / 10);
    }

    @Test
    void remembersThoseThatLive() {
        told(20, 15);
        livingId = Thread.currentThread().getId();
        for (long ended = livingId + 1; ended <= livingId + MANY; ended++) {
            clock.sample(ended, 0, "name", Thread.State.RUNNABLE, 0);
        }
        assertThat(told(19, 5)).isEqualTo(new CpuTimes(20, 15));
    }

    private CpuTimes told(long cpu, long user) {
        cpuNs = cpu;
        userNs = user;
        return clock.read();
    }

    /** Tells the same of every thread; one thread is alive. */
    private ThreadMXBean bean() {
        Map<String, String> figures = Map.of(
                "getCurrentThreadCpuTime", "cpu",
                "getThreadCpuTime", "cpu",
                "getCurrentThreadUserTime", "user",
                "getThreadUserTime", "user");
        return (ThreadMXBean) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ThreadMXBean.class}, (proxy, method, arguments) -> {
                    String figure = figures.get(method.getName());
                    if (figure == null) {
                        assertThat(method.getName()).isEqualTo("getAllThreadIds");
                        return new long[] {livingId};
                    }
                    return figure.equals("cpu") ? cpuNs : userNs;
                });
    }
}
