// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;

class RequestBillsIT {
    private static final int REQUESTS = 80;
    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(30);
    private static final int USER = 0;
    private static final int SYSTEM = 1;
    private static final int RUN_DELAY = 2;
    private static final int NOT_RUNNING = 3;
    private static final int WALL = 4;

    @OnOldestAndNewestJdk
    void divideTheWallTime(Jdk jdk) {
        assertThat(Printed.by(RequestBills.class, jdk).lines()).hasSize(3).allSatisfy(line -> {
            assumeThat(line).as("waits that this kernel tells").doesNotContain("unknown");
            List<Long> ns = Printed.ns(line);
            assertThat(ns.get(USER) + ns.get(SYSTEM) + ns.get(RUN_DELAY) + ns.get(NOT_RUNNING))
                    .as("the sum of %s", line)
                    .isEqualTo(ns.get(WALL));
        });
    }

    @OnOldestAndNewestJdk
    @Tag("server")
    void sayWhatIsNotKnown(Jdk jdk) {
        ChildResult result = ChildJvm.on(jdk)
                .jvmOptions(List.of("-Dos.arch=s390x")) // where there is no clock
                .classPath(List.of(Printed.JAR))
                .mainClass(RequestBills.class)
                .run();
        assertThat(result.stdoutLines()).hasSize(3).allSatisfy(line -> assertThat(line)
                .contains(" + run delay unknown + not running unknown = wall "));
    }

    @OnOldestAndNewestJdk
    @Tag("timing")
    void sayForEachKindWhatItDoes(Jdk jdk) {
        Printed printed = Printed.by(RequestBills.class, jdk);
        assumeThat(printed.line("/ask")).as("waits that this kernel tells").doesNotContain("unknown");
        List<Long> sort = Printed.ns(printed.line("/sort: " + REQUESTS + " requests"));
        List<Long> read = Printed.ns(printed.line("/read: " + REQUESTS + " requests"));
        List<Long> ask = Printed.ns(printed.line("/ask: " + REQUESTS + " requests"));
        assertThat(sort.get(USER)).as("user time of sorting, in ns").isGreaterThan(sort.get(SYSTEM));
        assertThat(read.get(SYSTEM)).as("system time of reading, in ns").isGreaterThan(read.get(USER));
        assertThat(ask.get(NOT_RUNNING)).as("ns in which asking did not run").isGreaterThan(REQUESTS * WAIT_NS / 2);
    }
}
