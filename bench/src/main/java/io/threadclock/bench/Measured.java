// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.threadclock.ThreadClock;
import io.threadclock.diagnostics.ClockBinding;
import io.threadclock.harness.Jdk;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The JDK and the clock of a benchmark, which are columns of JMH's table, and how it is measured if it says nothing
 * else. The warm-up has several iterations, because it takes some calls of JMH's loop, not only turns of it, to have it
 * compiled.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6, time = 25, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 50, timeUnit = TimeUnit.MILLISECONDS)
public abstract class Measured {
    @Param("")
    public String jdk;

    @Param("")
    public String clock;

    @Setup
    public void prepare() {
        if (clock.equals("attached")) {
            Child.attachTo(ProcessHandle.current().pid(), "a benchmark's JVM");
        }
        if (clock.startsWith("library") && ThreadClock.binding() == ClockBinding.NONE) {
            throw new IllegalStateException("Measuring the library: " + ThreadClock.explanation());
        }
    }

    /** The options that make a JVM have this clock. */
    static List<String> jvmOptions(Jdk jdk, String benchmark, String clock) {
        List<String> options = new ArrayList<>(Child.usual(jdk.feature()));
        if (benchmark.startsWith("OneSpan.")) {
            options.addAll(OneSpan.jvmOptions(clock.equals("measured")));
        } else {
            options.add("-Xbatch"); // on a busy machine the compiler is late otherwise, by more than the warm-up
        }
        options.addAll(VirtualThread.ONE_CARRIER);
        switch (clock) {
            case "threadclock" -> options.add(Child.agent().jvmOption(""));
            case "source=clock" -> options.add(Child.agent().jvmOption(clock));
            case "attached" -> options.add("-Djdk.attach.allowAttachSelf=true");
            case "library-jni" -> options.add("-Dthreadclock.binding=jni");
            default -> {}
        }
        return options;
    }
}
