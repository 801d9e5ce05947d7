// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import java.util.List;
import org.junit.jupiter.api.Tag;

class RequestCostIT {
    private static final int WALL = 0;
    private static final int CPU = 1;
    private static final int USER = 2;
    private static final int SYSTEM = 3;

    @OnOldestAndNewestJdk
    @Tag("timing")
    void chargesARequestThatWaitsForLittleOfItsTime(Jdk jdk) {
        List<Long> times =
                Printed.ns(Printed.by(RequestCost.class, jdk).linesOf("/wait").get(1));
        assertThat(times.get(CPU))
                .as("CPU time of a request that took %s ns, nearly all of it waiting", times.get(WALL))
                .isLessThan(times.get(WALL) / 4);
    }

    @OnOldestAndNewestJdk
    @Tag("timing")
    void chargesARequestThatWorksForIt(Jdk jdk) {
        Printed printed = Printed.by(RequestCost.class, jdk);
        long waitingNs = Printed.ns(printed.linesOf("/wait").get(1)).get(CPU);
        assertThat(Printed.ns(printed.linesOf("/sort").get(1)).get(CPU))
                .as("CPU time of a request that sorts, against one that waits, in ns")
                .isGreaterThan(3 * waitingNs);
    }

    @OnOldestAndNewestJdk
    void handlesEachRequestInAVirtualThreadWhereThereAreSome(Jdk jdk) {
        assertThat(Printed.by(RequestCost.class, jdk).lines()).allSatisfy(line -> assertThat(line)
                .endsWith(jdk.feature() < 21 ? "; in Thread" : "; in VirtualThread"));
    }

    @OnOldestAndNewestJdk
    void dividesCpuTimeIntoUserAndSystemTime(Jdk jdk) {
        assertThat(Printed.by(RequestCost.class, jdk).lines())
                .hasSize(4)
                .map(Printed::ns)
                .allSatisfy(times -> assertThat(times.get(USER) + times.get(SYSTEM))
                        .as("user time + system time against CPU time, in ns")
                        .isEqualTo(times.get(CPU)));
    }
}
