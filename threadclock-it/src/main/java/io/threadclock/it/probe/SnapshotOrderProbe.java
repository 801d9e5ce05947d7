// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.TimesHolder;

/**
 * A thread reads itself through the library while another one takes snapshots, and both compare.
 *
 * <p>Argument: the number of snapshots.
 */
public final class SnapshotOrderProbe {
    private final ReadingOrder.Tallies cpu = new ReadingOrder.Tallies();
    private final ReadingOrder.Tallies user = new ReadingOrder.Tallies();
    private final Tally userWithinCpu = new Tally();
    private final ReadingOrder observedCpu = new ReadingOrder(cpu);
    private final ReadingOrder observedUser = new ReadingOrder(user);
    private final Thread observed = new Thread(this::readItself);
    private final int snapshots;
    private volatile boolean ended;

    private SnapshotOrderProbe(int snapshots) {
        this.snapshots = snapshots;
    }

    public static void main(String[] arguments) throws InterruptedException {
        SnapshotOrderProbe probe = new SnapshotOrderProbe(Integer.parseInt(arguments[0]));
        probe.observed.start();
        probe.takeSnapshots();
        probe.ended = true;
        probe.observed.join();
        probe.cpu.print("cpu");
        probe.user.print("user");
        probe.userWithinCpu.print("userWithinCpu");
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
        for (int i = 0; i < snapshots; i++) {
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
