// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.OwnTimeCostProbe;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests libraries of Maven Central that ask for thread times: they print the same, at a lower cost. */
class ConsumersIT {
    /** Reading /proc costs some 15 times as much as a clock. If /proc is not read, both are system calls. */
    private static final int PROC_IS_SLOWER = 5;

    /** A run can only cost more than necessary, because code was compiled too late, or a neighbour fills the caches. */
    private static final int MOST_RUNS = 3;

    /** A spin has at least this share of user time. The kernel may tell less, for few of its ticks come in the time. */
    private static final double LEAST_USER_SHARE = 0.6;

    private static final double SLACK_OF_SHARE = 0.1;

    /** The kernel tells times in units of this many ms. */
    private static final long MS_PER_TICK = 10;

    static Stream<Arguments> jdksAndConsumers() {
        return jdksAnd(Stream.of(Consumer.values()));
    }

    static Stream<Arguments> jdksAndReadersOfTheCurrentThread() {
        return jdksAnd(Stream.of(Consumer.values()).filter(Consumer::readsTheCurrentThread));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndConsumers")
    void printTheSame(Jdk jdk, Consumer consumer) {
        Facts stock = consumer.on(jdk).facts();
        assertThat(stock.number("lines")).as("lines that %s prints", consumer).isPositive();
        assertThat(Presence.AGENTPATH.of(consumer.on(jdk)).facts().startingWith("line"))
                .as("what %s prints with the agent but for the figures, against stock", consumer)
                .isEqualTo(stock.startingWith("line"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndConsumers")
    @Tag("timing")
    void costLessWhereUserTimeIsReadFromProcAndNoMoreElsewhere(Jdk jdk, Consumer consumer) {
        double most = mostOfStock(jdk, consumer);
        long stockNs = stock(jdk, consumer, 1).number("nsPerCall");
        long agentNs = agent(jdk, consumer, 1).number("nsPerCall");
        for (int run = 2; run <= MOST_RUNS && agentNs >= most * stockNs; run++) {
            stockNs = Math.min(stockNs, stock(jdk, consumer, run).number("nsPerCall"));
            agentNs = Math.min(agentNs, agent(jdk, consumer, run).number("nsPerCall"));
        }
        System.out.printf("%s on %s: %,d ns a call, with the agent %,d ns%n", consumer, jdk, stockNs, agentNs);
        assertThat((double) agentNs / stockNs)
                .as("a call of %s with the agent / stock: %s ns / %s ns", consumer, agentNs, stockNs)
                .isLessThan(most);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndReadersOfTheCurrentThread")
    @Tag("timing")
    void areToldTheTruthOfTheCurrentThread(Jdk jdk, Consumer consumer) {
        Facts agent = agent(jdk, consumer, 1);
        long cpuNs = agent.number("cpuNs");
        long userNs = agent.number("userNs");
        long kernelMs = MS_PER_TICK * (agent.number("kernelUserTicks") + agent.number("kernelSystemTicks"));
        assertThat(TimeUnit.NANOSECONDS.toMillis(cpuNs))
                .as(
                        "CPU time that %s reports of %s ms of work, %s ms by the kernel, ms",
                        consumer, Consumer.WORK_MS, kernelMs)
                .isBetween((long) Consumer.WORK_MS, Math.max(2L * Consumer.WORK_MS, kernelMs + 4 * MS_PER_TICK));
        assertThat((double) userNs / cpuNs)
                .as("user time / CPU time of a spin, by %s: %s ns / %s ns", consumer, userNs, cpuNs)
                .isBetween(Math.min(LEAST_USER_SHARE, SourcesIT.leastUserShare(agent) - SLACK_OF_SHARE), 1.0);
    }

    private static double mostOfStock(Jdk jdk, Consumer consumer) {
        return readsProc(jdk) ? consumer.mostOfStockFromProc() : consumer.mostOfStock();
    }

    /** The version does not tell: builds of JDK 25 from 2026 on read a clock, as 26 does. */
    private static boolean readsProc(Jdk jdk) {
        Facts stock = Program.stock(jdk, OwnTimeCostProbe.class).facts();
        return stock.number("userCallNs") > PROC_IS_SLOWER * stock.number("cpuCallNs");
    }

    /** Each run is kept, and answers several questions. */
    private static Facts stock(Jdk jdk, Consumer consumer, int run) {
        return measured(consumer.on(jdk), run).facts();
    }

    private static Facts agent(Jdk jdk, Consumer consumer, int run) {
        return measured(Presence.AGENTPATH.of(consumer.on(jdk)), run).facts();
    }

    private static Program measured(Program program, int run) {
        return program.jvmOption("-Dthreadclock.it.cost=true").environment("RUN", Integer.toString(run));
    }

    private static Stream<Arguments> jdksAnd(Stream<Consumer> consumers) {
        return consumers.flatMap(
                consumer -> JdksUnderTest.all().filter(consumer::isTriedOn).map(jdk -> Arguments.of(jdk, consumer)));
    }
}
