// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import io.threadclock.diagnostics.ClockBinding;
import io.threadclock.diagnostics.ClockStats;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The cost of the calling thread: its CPU, user and system time, in ns since it started.
 *
 * <p>Times never decrease, and between two readings of a thread its user time grows by no more than its CPU time; CPU
 * time = user time + system time. (Sources and splits for comparison, which only the agent's options choose, promise
 * neither.) CPU time is exact. The kernel divides it by sampling at clock ticks, so the user time of a single
 * millisecond is an estimate.
 *
 * <p>All methods are thread-safe. Those that return a {@code long}, and {@link #read(TimesHolder)}, allocate nothing
 * and cost one time-stamp-counter read and a native call (see {@link #binding()}) while the thread has not been
 * switched out since its last reading; otherwise they cost one to three system calls. The first use of this class loads
 * the native library; the first reading of the process tests the sources, for a few milliseconds.
 *
 * <p>The kernel has no times of a virtual thread, and those of its carrier would be wrong figures. A measured virtual
 * thread (see {@link VirtualThreads}) is read like any other thread, in ns since its clock began. In other virtual
 * threads every reading throws an {@link UnsupportedOperationException}. ({@code ThreadMXBean} answers -1 there, and
 * the difference of two such answers looks like 0 ns.)
 *
 * @since 0.1
 */
public final class ThreadClock {
    private static final String STRICT_PROPERTY = "threadclock.strict";

    private static final NativeLibrary LIBRARY = NativeLibrary.load();

    /** A constant, so that a compiled reading has no trace of the check. */
    private static final boolean SUPPORTED = LIBRARY.isLoaded();

    /** Whether the property {@code threadclock.strict} has readings refused where there is no clock for them. */
    static final boolean STRICT = isSet(STRICT_PROPERTY);

    /** The clock that stands in for one that is not supported; null where that is, or where none stands in. */
    private static final StockClock STAND_IN = SUPPORTED || STRICT ? null : StockClock.find();

    static {
        if (!SUPPORTED && !STRICT) {
            Announcement.log(explanation());
        }
    }

    private ThreadClock() {}

    /**
     * {@return whether the clock is available: this is Linux on x86_64 or aarch64, and the native library could be
     * loaded} If it is false, readings and snapshots come from the JDK's own {@code ThreadMXBean}: they are as slow and
     * as coarse as that is, and keep the promises above. {@link #source()} tells so, and one line in the log of
     * {@code java.util.logging} says why. With the property {@code threadclock.strict} they are refused instead.
     */
    public static boolean isSupported() {
        return SUPPORTED;
    }

    /**
     * {@return CPU time of the calling thread, in ns since it started; ≥ 0}
     *
     * @throws ClockUnavailableException if nothing can read it: {@link #isSupported()} is false and
     *     {@code ThreadMXBean} tells no CPU times, or {@code threadclock.strict} is set; or the kernel has no thread
     *     CPU clocks
     * @throws UnsupportedOperationException if the calling thread is virtual and not measured
     */
    public static long cpuTimeNs() {
        if (Measurability.hasCarrier()) {
            return BootClocks.cpuTimeNs();
        }
        return SUPPORTED
                ? figure(CallingThread.cpuTimeNs())
                : stockClock().read().cpuTimeNs();
    }

    /**
     * {@return user time of the calling thread, in ns since it started; from 0 to its CPU time}
     *
     * @throws ClockUnavailableException as {@link #cpuTimeNs()}
     * @throws UnsupportedOperationException if the calling thread is virtual and not measured
     */
    public static long userTimeNs() {
        if (Measurability.hasCarrier()) {
            return BootClocks.userTimeNs();
        }
        return SUPPORTED
                ? figure(CallingThread.userTimeNs())
                : stockClock().read().userTimeNs();
    }

    /**
     * {@return system time of the calling thread, in ns since it started; from 0 to its CPU time}
     *
     * @throws ClockUnavailableException as {@link #cpuTimeNs()}
     * @throws UnsupportedOperationException if the calling thread is virtual and not measured
     */
    public static long systemTimeNs() {
        if (Measurability.hasCarrier()) {
            return BootClocks.systemTimeNs();
        }
        return SUPPORTED
                ? figure(CallingThread.systemTimeNs())
                : stockClock().read().systemTimeNs();
    }

    /**
     * CPU, user and system time of the calling thread in one consistent reading. Allocates nothing; as expensive as
     * reading one of them.
     *
     * @param holder out; untouched on error
     * @throws ClockUnavailableException as {@link #cpuTimeNs()}
     * @throws UnsupportedOperationException if the calling thread is virtual and not measured
     */
    public static void read(TimesHolder holder) {
        int error = Measurability.hasCarrier() ? holder.readVirtual() : holder.read();
        if (error != 0) {
            throw refused(error);
        }
    }

    /**
     * {@return CPU, user and system time of the calling thread in one consistent reading, as a value} Allocates the
     * value and an array, and costs twice as much as {@link #read(TimesHolder)}.
     *
     * @throws ClockUnavailableException as {@link #cpuTimeNs()}
     * @throws UnsupportedOperationException if the calling thread is virtual and not measured
     */
    public static CpuTimes read() {
        boolean hasCarrier = Measurability.hasCarrier();
        if (!SUPPORTED && !hasCarrier) {
            return stockClock().read();
        }
        long[] timesNs = new long[3];
        int error = hasCarrier ? BootClocks.read(timesNs) : CallingThread.copy(timesNs);
        if (error != 0) {
            throw refused(error);
        }
        return new CpuTimes(timesNs[0], timesNs[1]);
    }

    /**
     * As {@link #read(TimesHolder)}, and also how the calling thread has waited: its run-queue delay, and its voluntary
     * and involuntary switches. While the thread has not been switched out, it costs as much, and all figures are of
     * one moment; after a switch it costs about four system calls more. A figure that is unknown is -1 in the holder:
     * on a kernel without {@code CONFIG_SCHED_INFO}, without {@code /proc}, where {@link #isSupported()} is false, and
     * in virtual threads, because the kernel knows only how their carriers wait. {@link #explanation()} tells the
     * reason.
     *
     * @param holder out; untouched on error
     * @throws ClockUnavailableException as {@link #cpuTimeNs()}
     * @throws UnsupportedOperationException if the calling thread is virtual and not measured
     */
    public static void readWithWaits(TimesHolder holder) {
        int error = Measurability.hasCarrier() ? holder.readVirtualWithWall() : holder.readWithWaits();
        if (error != 0) {
            throw refused(error);
        }
    }

    /**
     * {@return how the calling thread has waited, as a value} What is unknown is -1, as in
     * {@link #readWithWaits(TimesHolder)}; where the thread's times cannot be read, so is everything, and nothing is
     * thrown. Allocates the value and an array.
     */
    public static ThreadWaits waits() {
        long[] waits = {ThreadWaits.UNKNOWN, ThreadWaits.UNKNOWN, ThreadWaits.UNKNOWN};
        if (SUPPORTED && !Measurability.hasCarrier()) {
            NativeClock.waits(waits);
        }
        return new ThreadWaits(waits[0], waits[1], waits[2]);
    }

    /**
     * {@return the source in use} It may change, because the clock gives up a source that fails its continuous check.
     *
     * @throws ClockUnavailableException if {@link #isSupported()} is false and {@code ThreadMXBean} does not stand in
     */
    public static ClockSource source() {
        return stockClockUnlessSupported() == null ? ClockSource.of(NativeClock.source()) : ClockSource.THREAD_MX_BEAN;
    }

    /**
     * {@return how CPU time is divided into user and system time}
     *
     * @throws ClockUnavailableException as {@link #source()}
     */
    public static TimeSplit split() {
        return stockClockUnlessSupported() == null ? TimeSplit.of(NativeClock.split()) : TimeSplit.THREAD_MX_BEAN;
    }

    /**
     * {@return how this library reaches the native one: FFM on Java 22 and newer where native access is enabled for it,
     * otherwise JNI} The property {@code threadclock.binding}, {@code jni} or {@code ffm}, overrides that on Java 22
     * and newer.
     *
     * @throws ClockUnavailableException as {@link #source()}
     */
    public static ClockBinding binding() {
        return stockClockUnlessSupported() == null ? CallingThread.binding() : ClockBinding.NONE;
    }

    /**
     * {@return in words: which source is in use, why the better ones are not (one line each), and why this binding is
     * used; where {@link #isSupported()} is false, the reason, and what follows from it}
     */
    public static String explanation() {
        return SUPPORTED
                ? NativeClock.explanation() + "binding " + CallingThread.binding() + ": " + CallingThread.reason()
                : LIBRARY.refusal(consequence()).getMessage();
    }

    /**
     * {@return whether the calling thread can be read: the clock is available, or {@code ThreadMXBean} stands in, and
     * the thread is not virtual, or is measured} For code that runs in threads of other programs and must go on without
     * the clock if it is false. Allocates nothing.
     */
    public static boolean canRead() {
        return Measurability.hasCarrier() ? BootClocks.canRead() : SUPPORTED || STAND_IN != null;
    }

    /**
     * {@return CPU, user and system time of this process since it started: of all its threads, the JVM's own and those
     * that have ended too} Costs one system call, from any thread, virtual or not. The kernel divides it, and what
     * other threads have run since their last clock tick is missing. Allocates the value and an array.
     *
     * @throws ClockUnavailableException if {@link #isSupported()} is false, because nothing else tells user time of a
     *     process; or the kernel refuses
     */
    public static CpuTimes readProcess() {
        if (!SUPPORTED) {
            throw unavailable();
        }
        long[] timesNs = new long[3];
        int error = NativeClock.copyOfProcess(timesNs);
        if (error != 0) {
            throw refused(error);
        }
        return new CpuTimes(timesNs[0], timesNs[1]);
    }

    /**
     * {@return what the clock has done so far in this process, for all threads; all counts are 0 where
     * {@link #isSupported()} is false} Costs a few ns a thread.
     */
    public static ClockStats stats() {
        long[] counts = new long[ClockStats.COUNTS];
        if (isSupported()) {
            NativeClock.stats(counts);
        }
        return new ClockStats(counts);
    }

    /** The clock that stands in; null if none has to. */
    static StockClock stockClockUnlessSupported() {
        return SUPPORTED ? null : stockClock();
    }

    static StockClock stockClock() {
        if (STAND_IN == null) {
            throw unavailable();
        }
        return STAND_IN;
    }

    static ClockUnavailableException unavailable() {
        return LIBRARY.refusal(consequence());
    }

    private static String consequence() {
        if (STAND_IN != null) {
            return "Thread times come from the JDK's ThreadMXBean instead; -D" + STRICT_PROPERTY
                    + "=true refuses them.";
        }
        return (STRICT
                        ? "-D" + STRICT_PROPERTY + "=true refuses to read the JDK's ThreadMXBean instead."
                        : "The JDK's ThreadMXBean cannot be read instead: the runtime has no java.management, or its JVM"
                                + " tells no CPU times.")
                + " Code that must go on without figures asks ThreadClock.canRead() first.";
    }

    private static boolean isSet(String property) {
        try {
            return Boolean.getBoolean(property);
        } catch (SecurityException hidden) {
            return false;
        }
    }

    static long figure(long answer) {
        if (NativeClock.isErrno(answer)) {
            throw refused((int) answer);
        }
        return answer;
    }

    static ClockUnavailableException refused(int error) {
        return new ClockUnavailableException("Reading the thread's CPU clock failed: errno " + -error
                + ". The kernel or a sandbox refuses it: allow clock_gettime on thread CPU clocks. "
                + NativeClock.explanation());
    }

    /** A class of its own, because the runtime may lack {@code java.logging}. */
    private static final class Announcement {
        static void log(String text) {
            try {
                Level level = Platform.ofThisJvm().isSupported() ? Level.WARNING : Level.INFO;
                String name = ThreadClock.class.getName();
                Logger.getLogger(name).logp(level, name, null, text);
            } catch (RuntimeException | LinkageError notLogged) { // the figures do not depend on it
                return;
            }
        }
    }
}
