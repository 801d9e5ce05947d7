// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * What the JVM's own threads have cost since they started: garbage collection, compilation, and everything else. These
 * are the threads that {@link ThreadsSnapshot} does not have; both together are the cost of the process, except for
 * threads that native libraries have started. Immutable.
 *
 * <p>Threads are found by the names that HotSpot gives them ({@link JvmThreadKind}), in {@code /proc/self/task}. A
 * thread that ends keeps its cost, except what it used since it was last looked at. Where {@link ThreadSample#tid()} is
 * not known, a thread with the name of a Java thread is taken for it. On JDK 26 and newer, garbage collection is the
 * JDK's own figure ({@code MemoryMXBean.getTotalGcCpuTime}), which also has what {@code VM Thread} does for it; on
 * older ones that part is in {@link JvmThreadKind#VM}. The serial collector runs in {@code VM Thread} only.
 *
 * @since 0.1
 */
public final class JvmCpuTimes {
    /** In place of a time, if it is not known. */
    public static final long UNKNOWN = -1;

    private static final long FRESH_NS = 1_000_000_000;
    private static final JvmThreads THREADS = new JvmThreads(JvmThreads.OWN_TASKS, JvmCpuTimes::javaThreads);
    private static JvmCpuTimes last;

    private final long readNs;
    private final Map<JvmThreadKind, Long> timesNs;

    private JvmCpuTimes(long readNs, Map<JvmThreadKind, Long> timesNs) {
        this.readNs = readNs;
        this.timesNs = timesNs;
    }

    /**
     * {@return the times, which may be a second old} At most once a second, it lists the threads of the process, opens
     * one file for each of the JVM's own threads, and one more for each thread that is new, at its first two looks.
     * Thread-safe.
     */
    public static JvmCpuTimes read() {
        return read(System.nanoTime());
    }

    static synchronized JvmCpuTimes read(long nowNs) {
        if (last == null || nowNs - last.readNs >= FRESH_NS) {
            THREADS.look();
            Map<JvmThreadKind, Long> foundNs = new EnumMap<>(JvmThreadKind.class);
            for (JvmThreadKind kind : JvmThreadKind.values()) {
                foundNs.put(kind, THREADS.totalNs(kind));
            }
            last = new JvmCpuTimes(nowNs, times(foundNs, TotalGcCpuTime.ns(), last));
        }
        return last;
    }

    /**
     * {@return CPU time of the threads of this kind, in ns; never less than before; {@link #UNKNOWN} if it is not
     * known}
     *
     * @param kind the kind of threads
     */
    public long cpuTimeNs(JvmThreadKind kind) {
        return timesNs.get(kind);
    }

    /** The JVM's figure has a part of the VM thread's time, which does not count twice. Figures never fall. */
    static Map<JvmThreadKind, Long> times(Map<JvmThreadKind, Long> foundNs, long jdksGcNs, JvmCpuTimes before) {
        Map<JvmThreadKind, Long> timesNs = new EnumMap<>(foundNs);
        if (jdksGcNs != UNKNOWN) {
            long bothNs = foundNs.get(JvmThreadKind.GC) + foundNs.get(JvmThreadKind.VM);
            timesNs.put(JvmThreadKind.GC, jdksGcNs);
            timesNs.put(JvmThreadKind.VM, Math.max(0, bothNs - jdksGcNs));
        }
        boolean areFound = foundNs.values().stream().anyMatch(ns -> ns > 0);
        timesNs.replaceAll((kind, ns) -> {
            boolean isKnown = areFound || kind == JvmThreadKind.GC && jdksGcNs != UNKNOWN;
            long beforeNs = before == null ? 0 : before.cpuTimeNs(kind);
            return isKnown ? Math.max(ns, beforeNs) : UNKNOWN;
        });
        return timesNs;
    }

    private static BiPredicate<Integer, String> javaThreads() {
        try {
            return among(ThreadsSnapshot.take().threads());
        } catch (ClockUnavailableException refused) {
            return among(Collections.emptyList());
        }
    }

    /**
     * Tells by tid and kernel's name whether a thread is one of these; by the name alone of one whose tid is not known.
     */
    static BiPredicate<Integer, String> among(List<ThreadSample> samples) {
        Map<Integer, List<String>> namesByTid =
                samples.stream().collect(groupingBy(ThreadSample::tid, mapping(ThreadSample::name, toList())));
        List<String> withoutTid = namesByTid.getOrDefault(0, Collections.emptyList());
        return (tid, kernelsName) -> namesByTid.containsKey(tid)
                || withoutTid.stream().anyMatch(name -> JvmThreadKind.isKernelsNameOf(kernelsName, name));
    }

    @Override
    public String toString() {
        return timesNs + " ns";
    }

    /** The figure of JDK 26 and newer. */
    private static final class TotalGcCpuTime {
        private static final MethodHandle READ = find();

        static long ns() {
            try {
                return READ == null ? UNKNOWN : Math.max(UNKNOWN, (long) READ.invokeExact());
            } catch (Throwable refused) { // not supported by this JVM
                return UNKNOWN;
            }
        }

        private static MethodHandle find() {
            try {
                return MethodHandles.publicLookup()
                        .findVirtual(MemoryMXBean.class, "getTotalGcCpuTime", MethodType.methodType(long.class))
                        .bindTo(ManagementFactory.getMemoryMXBean());
            } catch (ReflectiveOperationException | RuntimeException | LinkageError older) {
                return null;
            }
        }
    }
}
