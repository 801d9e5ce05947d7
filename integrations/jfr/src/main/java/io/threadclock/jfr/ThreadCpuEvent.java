// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The fields' names are those of the recorded event. */
@Name("threadclock.ThreadCpu")
@Label("Thread CPU Time")
@Description("What a thread has cost since the last such event, if it has run")
@Category("threadclock")
@Period("1 s")
@StackTrace(false)
final class ThreadCpuEvent extends Event {
    @Label("Thread")
    Thread thread;

    @Label("User Time")
    @Description("In the program's own code")
    @Timespan(Timespan.NANOSECONDS)
    long userTime;

    @Label("System Time")
    @Description("In the kernel on behalf of the program")
    @Timespan(Timespan.NANOSECONDS)
    long systemTime;

    @Label("Wall Time")
    @Description("Length of the interval")
    @Timespan(Timespan.NANOSECONDS)
    long wallTime;

    @Label("CPU Usage")
    @Description("User time and system time by wall time: 100 % is one CPU all the time")
    @Percentage
    float usage;
}
