// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import io.threadclock.JvmCpuTimes;
import io.threadclock.JvmThreadKind;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The fields' names are those of the recorded event. A time that is not known is N/A there. */
@Name("threadclock.JvmCpu")
@Label("JVM CPU Time")
@Description("What the JVM's own threads have cost since the last such event")
@Category("threadclock")
@Period("1 s")
@StackTrace(false)
final class JvmCpuEvent extends Event {
    private static final long NOT_AVAILABLE = Long.MIN_VALUE;

    @Label("Garbage Collection")
    @Timespan(Timespan.NANOSECONDS)
    long gcTime;

    @Label("Compilation")
    @Timespan(Timespan.NANOSECONDS)
    long jitTime;

    @Label("Rest of the JVM")
    @Timespan(Timespan.NANOSECONDS)
    long vmTime;

    JvmCpuEvent(JvmCpuTimes last, JvmCpuTimes now) {
        gcTime = difference(JvmThreadKind.GC, last, now);
        jitTime = difference(JvmThreadKind.JIT, last, now);
        vmTime = difference(JvmThreadKind.VM, last, now);
    }

    private static long difference(JvmThreadKind kind, JvmCpuTimes last, JvmCpuTimes now) {
        long lastNs = last.cpuTimeNs(kind);
        return lastNs == JvmCpuTimes.UNKNOWN ? NOT_AVAILABLE : now.cpuTimeNs(kind) - lastNs;
    }
}
