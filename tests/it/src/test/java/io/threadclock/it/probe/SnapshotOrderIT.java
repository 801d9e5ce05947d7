// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.TimesHolder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A thread reads itself through the library while another one takes snapshots. */
@InChild
class SnapshotOrderIT {
    private static final int SNAPSHOTS = Amount.orLittle(20_000, 2_000);

    private final ReadingOrder.Tallies cpu = new ReadingOrder.Tallies();
    private final ReadingOrder.Tallies user = new ReadingOrder.Tallies();
    private final Tally userWithinCpu = new Tally();
    private final ReadingOrder observedCpu = new ReadingOrder(cpu);
    private final ReadingOrder observedUser = new ReadingOrder(user);
    private final Thread observed = new Thread(this::readItself);
    private volatile boolean ended;

    @Test
    void ofSnapshotsAndOwnReadingsIsTheirOrderInTime() throws InterruptedException {
        observed.start();
        takeSnapshots();
        ended = true;
        observed.join();
        Stream.of(cpu, user)
                .flatMap(time -> Stream.of(time.ownAfterOthers, time.othersAfterOwn, time.othersAfterOthers))
                .forEach(tally -> tally.assertNoBreach("readings on either side never decrease"));
        userWithinCpu.assertNoBreach("user time never exceeds CPU time");
    }

    private void readItself() {
        TimesHolder holder = new TimesHolder();
        Disturbance disturbance = new Disturbance();
        while (!ended) {
            long cpuBeforeNs = observedCpu.readByOthersNs();
            long userBeforeNs = observedUser.readByOthersNs();
            ThreadClock.read(holder);
            observedCpu.own(cpuBeforeNs, holder.cpuTimeNs());
            observedUser.own(userBeforeNs, holder.userTimeNs());
            disturbance.next();
        }
    }

    private void takeSnapshots() {
        for (int i = 0; i < SNAPSHOTS; i++) {
            long ownCpuNs = observedCpu.readByItselfNs();
            long ownUserNs = observedUser.readByItselfNs();
            long othersCpuNs = observedCpu.readByOthersNs();
            long othersUserNs = observedUser.readByOthersNs();
            ThreadSample sample =
                    ThreadsSnapshot.take().thread(observed.getId()).get();
            observedCpu.others(ownCpuNs, othersCpuNs, sample.cpuTimeNs());
            observedUser.others(ownUserNs, othersUserNs, sample.userTimeNs());
            userWithinCpu.atLeast(sample.userTimeNs(), sample.cpuTimeNs());
        }
    }
}
