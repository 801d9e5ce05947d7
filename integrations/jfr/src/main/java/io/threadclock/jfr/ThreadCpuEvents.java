// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import io.threadclock.IntervalUsage;
import io.threadclock.JvmCpuTimes;
import io.threadclock.ThreadUsage;
import io.threadclock.ThreadsSnapshot;
import java.util.Map;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/**
 * Two periodic events. {@code threadclock.ThreadCpu} is the user and system time of every thread that has run since the
 * last such event; the JDK's own {@code jdk.ThreadCPULoad} is a ratio, which the JVM computes in its own way.
 * {@code threadclock.JvmCpu} is the CPU time of garbage collection, compilation and the rest of the JVM since the last
 * such event, as {@link JvmCpuTimes} tells it, so its figures change once a second at most.
 *
 * <pre>{@code
 * ThreadCpuEvents events = ThreadCpuEvents.register(); // once, at the program's start
 * }</pre>
 *
 * <p>From then on each recording has these events, each second unless its settings say otherwise
 * ({@code threadclock.ThreadCpu#period=100 ms}). They cost nothing while there is no recording.
 * {@code threadclock.ThreadCpu} has the threads that Java knows, but not the JVM's own. The time that a thread spends
 * after the last event before its end is lost. Thread-safe.
 *
 * @since 0.1
 */
public final class ThreadCpuEvents implements AutoCloseable {
    private final Runnable threadsHook = this::emitThreads;
    private final Runnable jvmHook = this::emitJvm;
    private final FlightRecorderListener listener = new FlightRecorderListener() {
        @Override
        public void recordingStateChanged(Recording recording) {
            forgetUnlessRecording();
        }
    };

    /** Null while nothing records, because the first event of a recording must not include the time before it. */
    private ThreadsSnapshot last;

    /** As the other, null while nothing records. */
    private JvmCpuTimes lastJvm;

    private ThreadCpuEvents() {}

    /**
     * Makes the events known to the flight recorder. Does nothing if the JVM has none.
     *
     * @return the registration, which can be closed
     * @throws io.threadclock.ClockUnavailableException if the threads cannot be read here, not even by the JDK's
     */
    public static ThreadCpuEvents register() {
        ThreadsSnapshot.take(); // unlike the recorder's own thread, this thread can be told that there is no clock
        ThreadCpuEvents events = new ThreadCpuEvents();
        if (FlightRecorder.isAvailable()) {
            FlightRecorder.register(ThreadCpuEvent.class);
            FlightRecorder.register(JvmCpuEvent.class);
            FlightRecorder.addPeriodicEvent(ThreadCpuEvent.class, events.threadsHook);
            FlightRecorder.addPeriodicEvent(JvmCpuEvent.class, events.jvmHook);
            FlightRecorder.addListener(events.listener);
        }
        return events;
    }

    /** Ends the events of this registration. */
    @Override
    public void close() {
        if (FlightRecorder.isAvailable()) {
            FlightRecorder.removeListener(listener);
            FlightRecorder.removePeriodicEvent(threadsHook);
            FlightRecorder.removePeriodicEvent(jvmHook);
        }
    }

    private synchronized void forgetUnlessRecording() {
        boolean isRecording = FlightRecorder.getFlightRecorder().getRecordings().stream()
                .anyMatch(recording -> recording.getState() == RecordingState.RUNNING);
        if (!isRecording) {
            last = null;
            lastJvm = null;
        }
    }

    private synchronized void emitThreads() {
        ThreadsSnapshot now = ThreadsSnapshot.take();
        if (last != null) {
            emit(now.diff(last));
        }
        last = now;
    }

    private synchronized void emitJvm() {
        JvmCpuTimes now = JvmCpuTimes.read();
        if (lastJvm != null) {
            new JvmCpuEvent(lastJvm, now).commit();
        }
        lastJvm = now;
    }

    private static void emit(IntervalUsage usage) {
        Map<Long, Thread> threads = LivingThreads.byId();
        for (ThreadUsage used : usage.threads()) {
            Thread thread = threads.get(used.threadId());
            if (thread != null && used.cpuTimeNs() > 0) {
                emit(thread, used, usage.wallTimeNs());
            }
        }
    }

    private static void emit(Thread thread, ThreadUsage used, long wallTimeNs) {
        ThreadCpuEvent event = new ThreadCpuEvent();
        event.thread = thread;
        event.userTime = used.userTimeNs();
        event.systemTime = used.systemTimeNs();
        event.wallTime = wallTimeNs;
        event.usage = (float) used.usageRatio();
        event.commit();
    }
}
