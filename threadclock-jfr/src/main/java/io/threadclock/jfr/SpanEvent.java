// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import io.threadclock.AccountUsage;
import jdk.jfr.Category;
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

    @Label("Wall Time")
    @Description("Of all parts, which may exceed the duration, because parts may run at the same time")
    @Timespan(Timespan.NANOSECONDS)
    long wallTime;

    @Label("Parts")
    @Description("Pieces of the work, each in one thread")
    long parts;

    @Label("Unmeasured Parts")
    @Description("Parts in threads that cannot be read; if there are any, all times are too small")
    long unmeasuredParts;

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
        wallTime = usage.wallTimeNs();
        parts = usage.parts();
        unmeasuredParts = usage.unmeasuredParts();
        threads = usage.threads();
    }
}
