// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import static io.threadclock.cli.top.MadeUpRates.usage;
import static io.threadclock.cli.top.MadeUpRates.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadTableTest {
    private static final UsageSample SAMPLE = MadeUpRates.sample(
            usage(1, "main", 0, 0, 900),
            waiting(0.25, 30, usage(2, "http-nio-8080-exec-1", 0.2, 0.1, 100)),
            waiting(0.5, 20, usage(3, "http-nio-8080-exec-2", 0.1, 0.3, 200)),
            waiting(0, 0, usage(4, "GC Thread#0", 0.35, 0, 300)),
            usage(5, "GC Thread#1", 0, 0, 400));

    private static List<String> names(Order order, String filter, boolean folds) {
        return new ThreadTable(order, filter, folds)
                .rows(SAMPLE).stream().map(Row::name).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "CPU, 34215",
        "USER, 42315",
        "SYSTEM, 32154",
        "WAIT, 32415",
        "SWITCHES, 23415",
        "TIME, 15432",
        "NAME, 45231",
        "TID, 12345"
    })
    void rowsAreSortedByTheOrder(Order order, String tids) {
        assertThat(new ThreadTable(order, "", false).rows(SAMPLE))
                .extracting(row -> "" + row.tid())
                .containsExactly(tids.split(""));
    }

    @Test
    void threadsOfAPoolAreOneRow() {
        assertThat(names(Order.CPU, "", true)).containsExactly("http-nio-8080-exec-*", "GC Thread#*", "main");
        Row pool = new ThreadTable(Order.CPU, "", true).rows(SAMPLE).get(0);
        assertThat(pool.threads()).isEqualTo(2);
        assertThat(pool.cpuNs()).isEqualTo(300);
        assertThat(pool.rate().cpu()).isCloseTo(0.7, offset(1e-9));
        assertThat(pool.isPool()).isTrue();
        assertThat(new ThreadTable(Order.CPU, "", true).rows(SAMPLE))
                .extracting(Row::waits)
                .as("of the threads of which they are known")
                .containsExactly(new WaitRate(0.75, 50), new WaitRate(0, 0), null);
    }

    @ParameterizedTest
    @CsvSource({"CPU, true", "USER, false"})
    void virtualThreadsStandBelowTheirCarriersAndTheRestComesLast(Order order, boolean folds) {
        ThreadRate carrier = new ThreadRate(
                new ThreadSnapshot(6, 5, 0, "worker-1", ThreadKind.CARRIER, 9, 9, 0), new Rate(0.1, 0), null);
        UsageSample sample =
                MadeUpRates.sampleWithPools(usage(5, "main", 0.5, 0, 9), carrier, usage(7, "http-1", 0.01, 0, 9));
        assertThat(new ThreadTable(order, "", folds).rows(sample))
                .extracting(Row::name)
                .containsExactly("main", "worker-1", "handler-*", "idle-*", "(carriers' rest)", "http-1");
        assertThat(new ThreadTable(order, "virtual", folds).rows(sample))
                .extracting(Row::name)
                .containsExactly("handler-*", "idle-*", "(carriers' rest)");
    }

    @Test
    void theFilterIsPartOfTheNameOrTheKindAndOneAloneKeepsItsName() {
        assertThat(names(Order.CPU, "exec-2", true)).containsExactly("http-nio-8080-exec-2");
        assertThat(names(Order.TID, "HTTP", false)).containsExactly("http-nio-8080-exec-1", "http-nio-8080-exec-2");
        assertThat(names(Order.TID, "gc", true)).containsExactly("GC Thread#*");
        assertThat(names(Order.TID, "nobody", false)).isEmpty();
    }
}
