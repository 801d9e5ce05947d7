// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import io.threadclock.AccountUsage;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The fields have the names of the recorded event's. */
@Name("threadclock.Span")
@Label("Span")
@Description("What a piece of work has cost on all its threads")
@Category("threadclock")
@StackTrace(false)
final class SpanEvent extends Event {
    /** The tools show this value as N/A. */
    private static final long UNKNOWN = Long.MIN_VALUE;

    @Context
    @Label("Name")
    @Description("Of the kind of work")
    final String name;

    @Context
    @Label("Trace Id")
    @Description("Of the trace that the work belongs to, if the program has told it")
    String traceId;

    @Context
    @Label("Span Id")
    @Description("Of the work in its trace, if the program has told it")
    String spanId;

    @Label("CPU Time")
    @Description("User time and system time")
    @Timespan(Timespan.NANOSECONDS)
    long cpuTime;

    @Label("User Time")
    @Description("In the program's own code")
    @Timespan(Timespan.NANOSECONDS)
    long userTime;

    @Label("System Time")
    @Description("In the kernel on behalf of the program")
    @Timespan(Timespan.NANOSECONDS)
    long systemTime;

    @Label("Run Delay")
    @Description("In which the threads wanted to run and had no CPU; N/A if unknown")
    @Timespan(Timespan.NANOSECONDS)
    long runDelay;

    @Label("Not Running")
    @Description("In which the threads slept, or waited for anything but a CPU; N/A if unknown")
    @Timespan(Timespan.NANOSECONDS)
    long notRunning;

    @Label("Wall Time")
    @Description("Of all parts, which may exceed the duration, because parts may run at the same time")
    @Timespan(Timespan.NANOSECONDS)
    long wallTime;

    @Label("Voluntary Switches")
    @Description("How often the threads gave up their CPU themselves; N/A if unknown")
    long voluntarySwitches;

    @Label("Involuntary Switches")
    @Description("How often the threads were switched out while they could have gone on; N/A if unknown")
    long involuntarySwitches;

    @Label("Allocated")
    @Description("On the heap; N/A if unknown")
    @DataAmount
    long allocated;

    @Label("Parts")
    @Description("Pieces of the work, each in one thread")
    long parts;

    @Label("Unmeasured Parts")
    @Description("Parts in threads that cannot be read; if there are any, all times are too small")
    long unmeasuredParts;

    @Label("Parts of Unknown Waits")
    @Description("If there are any, run delay, time of not running, and switches are too small")
    long partsOfUnknownWaits;

    @Label("Threads")
    @Description("That have had parts")
    long threads;

    SpanEvent(String name) {
        this.name = name;
    }

    void set(AccountUsage usage) {
        cpuTime = usage.cpuTimeNs();
        userTime = usage.userTimeNs();
        systemTime = usage.systemTimeNs();
        runDelay = known(usage.runDelayNs());
        notRunning = known(usage.notRunningNs());
        wallTime = usage.wallTimeNs();
        voluntarySwitches = known(usage.voluntarySwitches());
        involuntarySwitches = known(usage.involuntarySwitches());
        allocated = known(usage.allocatedBytes());
        parts = usage.parts();
        unmeasuredParts = usage.unmeasuredParts();
        partsOfUnknownWaits = usage.partsOfUnknownWaits();
        threads = usage.threads();
    }

    private static long known(long figure) {
        return figure < 0 ? UNKNOWN : figure;
    }
}
