// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.management.MBeanServerConnection;

/**
 * Prints ThreadMXBean's answers for ids of every kind: to the main thread, to a thread that started late, to virtual
 * threads, and through a JMX connector. At the gate "begin" the agent may be attached, at "middle" detached.
 */
public final class BehaviourProbe {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private BehaviourProbe() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, Long> ids = new LinkedHashMap<>();
        try (CastOfThreads before = new CastOfThreads("before")) {
            Gate.await("begin");
            try (CastOfThreads between = new CastOfThreads("between")) {
                ids.putAll(before.ids());
                ids.putAll(between.ids());
                askForAll(ids);
                Gate.await("middle");
                try (CastOfThreads after = new CastOfThreads("after")) {
                    ids.putAll(after.ids());
                    ids.putAll(idsOfNobody());
                    printAll(ids);
                }
            }
        }
    }

    /** Asks for all threads, so that an agent which is then detached has seen them all. */
    private static void askForAll(Map<String, Long> ids) {
        long[] all = ids.values().stream().mapToLong(id -> id).toArray();
        THREADS.getThreadCpuTime(all);
        THREADS.getThreadUserTime(all);
    }

    private static Map<String, Long> idsOfNobody() {
        Map<String, Long> ids = new LinkedHashMap<>();
        ids.put("zero", 0L);
        ids.put("minusOne", -1L);
        ids.put("least", Long.MIN_VALUE);
        ids.put("greatest", Long.MAX_VALUE);
        ids.put("largeInt", (long) Integer.MAX_VALUE);
        ids.put("ownPlus2To32", ThreadIds.ownId() + (1L << 32)); // no thread's id, unless it is cut to 32 bits
        return ids;
    }

    private static void printAll(Map<String, Long> ids) throws IOException, InterruptedException {
        new Observations("main", THREADS, withOwn(ids)).print();
        Thread late = new Thread(() -> new Observations("late", THREADS, withOwn(ids)).print());
        late.start();
        late.join();
        try (LocalConnector connector = new LocalConnector()) {
            printByJmx(connector.connection(), ids);
        }
        if (ReflectedVirtualThreads.areAvailable()) {
            printWithVirtualThreads(ids);
        }
    }

    private static void printByJmx(MBeanServerConnection connection, Map<String, Long> ids) throws IOException {
        com.sun.management.ThreadMXBean withArrays = ManagementFactory.newPlatformMXBeanProxy(
                connection, ManagementFactory.THREAD_MXBEAN_NAME, com.sun.management.ThreadMXBean.class);
        java.lang.management.ThreadMXBean plain = ManagementFactory.newPlatformMXBeanProxy(
                connection, ManagementFactory.THREAD_MXBEAN_NAME, java.lang.management.ThreadMXBean.class);
        new Observations("jmx", withArrays, withOwn(ids)).print();
        new Observations("plainJmx", plain, withOwn(ids)).print();
    }

    private static void printWithVirtualThreads(Map<String, Long> ids) throws InterruptedException {
        Thread ended = ReflectedVirtualThreads.start(() -> {});
        ended.join();
        Thread waiting = ReflectedVirtualThreads.start(BehaviourProbe::waitForInterrupt);
        Map<String, Long> more = new LinkedHashMap<>(ids);
        more.put("endedVirtual", ended.getId());
        more.put("waitingVirtual", waiting.getId());
        new Observations("mainOnVirtual", THREADS, withOwn(more)).print();
        ReflectedVirtualThreads.start(() -> new Observations("virtual", THREADS, withOwn(more)).print())
                .join();
        waiting.interrupt();
        waiting.join();
    }

    private static void waitForInterrupt() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException end) {
            return;
        }
    }

    private static Map<String, Long> withOwn(Map<String, Long> ids) {
        Map<String, Long> all = new LinkedHashMap<>(ids);
        all.put("own", ThreadIds.ownId());
        return all;
    }
}
