// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The fields have the names of the recorded event's. Its wall time is its duration. */
@Name("threadclock.Span")
@Label("Span")
@Description("What a piece of work has cost the thread that did it")
@Category("threadclock")
@StackTrace(false)
final class SpanEvent extends Event {
    @Label("Name")
    @Description("Of the kind of work")
    final String name;

    @Label("User Time")
    @Description("In the program's own code")
    @Timespan(Timespan.NANOSECONDS)
    long userTime;

    @Label("System Time")
    @Description("In the kernel on behalf of the program")
    @Timespan(Timespan.NANOSECONDS)
    long systemTime;

    SpanEvent(String name) {
        this.name = name;
    }
}
