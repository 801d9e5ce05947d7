// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import io.threadclock.CpuQuota;
import io.threadclock.recorder.JvmName;
import io.threadclock.recorder.Throttling;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Finds times in which the CPU quota of a JVM's control groups was used up, by a look each second. */
final class QuotaWatch {
    private static final long EVERY_US = TimeUnit.SECONDS.toMicros(1);

    private final JvmName jvm;
    private final Supplier<CpuQuota> quota;
    private List<CpuQuota.Group> last = List.of();
    private long lastUs;

    QuotaWatch(JvmName jvm, Supplier<CpuQuota> quota) {
        this.jvm = jvm;
        this.quota = quota;
    }

    /** The waiting since the look before of the group that was throttled most often; empty if none was. */
    Optional<Throttling> look(long wallUs) {
        if (Math.abs(wallUs - lastUs) < EVERY_US) {
            return Optional.empty();
        }
        List<CpuQuota.Group> now = quota.get().groups();
        List<Throttling> found = new ArrayList<>();
        for (CpuQuota.Group group : now) {
            last.stream()
                    .filter(before -> before.directory().equals(group.directory()))
                    .map(before -> since(before, group, wallUs))
                    .filter(time -> time.throttledPeriods() > 0)
                    .forEach(found::add);
        }
        last = now;
        lastUs = wallUs;
        return found.stream().max(Comparator.comparingLong(Throttling::throttledPeriods));
    }

    private Throttling since(CpuQuota.Group before, CpuQuota.Group now, long wallUs) {
        return new Throttling(
                jvm,
                lastUs,
                wallUs,
                (int) Math.round(now.cpus() * 1000),
                now.periods() - before.periods(),
                now.throttledPeriods() - before.throttledPeriods(),
                now.throttledTimeNs() - before.throttledTimeNs());
    }
}
