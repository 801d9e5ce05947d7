// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.threadclock.diagnostics.ClockBinding;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;

/**
 * The native readings of the calling thread, by the foreign function interface where that is allowed, else by JNI.
 *
 * <p>A critical call costs less than one by JNI, but the JVM waits for it at a safepoint. A function that is called in
 * this way therefore never asks the kernel: it answers from the counter, or says that it cannot, and then JNI asks.
 */
final class CallingThread {
    private static final String PROPERTY = "threadclock.binding";

    /** Stands in place of a time; {@code NOT_AT_ONCE} in {@code jvm/java_clock.c}. */
    private static final long NOT_AT_ONCE = Long.MIN_VALUE;

    private static final int DONE = 1;

    private static final Choice CHOICE = Choice.make();

    /** A constant, as the handles are, so that a compiled reading has no trace of the choice. */
    private static final boolean BY_FFM = CHOICE.binding == ClockBinding.FFM;

    private static final MethodHandle CPU_TIME_NS = time(0);
    private static final MethodHandle USER_TIME_NS = time(1);
    private static final MethodHandle SYSTEM_TIME_NS = time(2);
    private static final MethodHandle READ = function(3, FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle CPU_TIME_NS_KEEPING_USER = time(4);
    private static final MethodHandle KEPT_USER_TIME_NS = time(5);
    private static final MethodHandle READ_WITH_WAITS = function(7, FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

    private CallingThread() {}

    static ClockBinding binding() {
        return CHOICE.binding;
    }

    static String reason() {
        return CHOICE.reason;
    }

    static long cpuTimeNs() {
        long ns = BY_FFM ? call(CPU_TIME_NS) : NOT_AT_ONCE;
        return ns != NOT_AT_ONCE ? ns : NativeClock.cpuTimeNs();
    }

    static long userTimeNs() {
        long ns = BY_FFM ? call(USER_TIME_NS) : NOT_AT_ONCE;
        return ns != NOT_AT_ONCE ? ns : NativeClock.userTimeNs();
    }

    static long systemTimeNs() {
        long ns = BY_FFM ? call(SYSTEM_TIME_NS) : NOT_AT_ONCE;
        return ns != NOT_AT_ONCE ? ns : NativeClock.systemTimeNs();
    }

    static int read(long address, Object owner) {
        if (BY_FFM && callRead(READ, address, owner) == DONE) {
            return 0;
        }
        return NativeClock.read(address, owner);
    }

    static int readWithWaits(long address, Object owner) {
        if (BY_FFM && callRead(READ_WITH_WAITS, address, owner) == DONE) {
            return 0;
        }
        return NativeClock.readWithWaits(address, owner);
    }

    /** The handles by which clocks of virtual threads read; null: by JNI alone. */
    static MethodHandle[] criticalHandles() {
        return BY_FFM
                ? new MethodHandle[] {
                    CPU_TIME_NS,
                    USER_TIME_NS,
                    SYSTEM_TIME_NS,
                    CPU_TIME_NS_KEEPING_USER,
                    KEPT_USER_TIME_NS,
                    function(6, FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT))
                }
                : null;
    }

    /**
     * Makes two calls, and the second returns the rest of the first one's reading. An array would have to be copied.
     */
    static int copy(long[] timesNs) {
        long cpuNs = BY_FFM ? call(CPU_TIME_NS_KEEPING_USER) : NOT_AT_ONCE;
        if (cpuNs == NOT_AT_ONCE) {
            return NativeClock.copy(timesNs);
        }
        timesNs[0] = cpuNs;
        timesNs[1] = call(KEPT_USER_TIME_NS);
        timesNs[2] = cpuNs - timesNs[1];
        return 0;
    }

    private static long call(MethodHandle function) {
        try {
            return (long) function.invokeExact();
        } catch (Throwable impossible) {
            throw new AssertionError("a native function throws nothing", impossible);
        }
    }

    private static int callRead(MethodHandle function, long address, Object owner) {
        try {
            return (int) function.invokeExact(address);
        } catch (Throwable impossible) {
            throw new AssertionError("a native function throws nothing", impossible);
        } finally {
            Reference.reachabilityFence(owner);
        }
    }

    private static MethodHandle time(int index) {
        return function(index, FunctionDescriptor.of(JAVA_LONG));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(int index, FunctionDescriptor descriptor) {
        if (!BY_FFM) {
            return null;
        }
        MemorySegment address = MemorySegment.ofAddress(NativeClock.criticalFunctions()[index]);
        return Linker.nativeLinker().downcallHandle(address, descriptor, Linker.Option.critical(false));
    }

    /**
     * The binding that the property names. Without the property, FFM, if it prints no warning that JNI would not print.
     */
    private record Choice(ClockBinding binding, String reason) {
        static Choice make() {
            String named = System.getProperty(PROPERTY, "");
            if (named.equalsIgnoreCase("jni")) {
                return new Choice(ClockBinding.JNI, "the property " + PROPERTY + " names it");
            }
            if (named.equalsIgnoreCase("ffm")) {
                return new Choice(ClockBinding.FFM, "the property " + PROPERTY + " names it");
            }
            String unknown =
                    named.isEmpty() ? "" : "; the property " + PROPERTY + " names neither jni nor ffm: " + named;
            Module module = CallingThread.class.getModule();
            return module.isNativeAccessEnabled()
                    ? new Choice(ClockBinding.FFM, "native access is enabled for " + module + unknown)
                    : new Choice(ClockBinding.JNI, "native access is not enabled for " + module + unknown);
        }
    }
}
