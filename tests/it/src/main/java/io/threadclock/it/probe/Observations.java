// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Prints the kinds of ThreadMXBean's answers to the calling thread for ids of every kind, one by one and in arrays. */
final class Observations {
    /** More than the agent reads at a time, and not a multiple of that. */
    private static final int LONG_ARRAY = 2_000;

    private final String asker;
    private final ThreadMXBean threads;
    private final Map<String, Long> ids;

    /** {@code asker}: the beginning of its facts. {@code ids}: maps a kind to an id of that kind. */
    Observations(String asker, ThreadMXBean threads, Map<String, Long> ids) {
        this.asker = asker;
        this.threads = threads;
        this.ids = ids;
    }

    /** Prints them while thread CPU time is enabled, disabled, and enabled again, as it then stays. */
    void print() {
        print("enabled");
        threads.setThreadCpuTimeEnabled(false);
        print("disabled");
        threads.setThreadCpuTimeEnabled(true);
        print("again");
    }

    private void print(String state) {
        String name = asker + "." + state;
        Fact.print(name + ".isEnabled", threads.isThreadCpuTimeEnabled());
        Fact.print(name + ".isSupported", threads.isThreadCpuTimeSupported());
        Fact.print(name + ".isSupportedForCurrent", threads.isCurrentThreadCpuTimeSupported());
        Fact.print(name + ".cpu.current", Fact.kind(threads::getCurrentThreadCpuTime));
        Fact.print(name + ".user.current", Fact.kind(threads::getCurrentThreadUserTime));
        printById(name + ".cpu", threads::getThreadCpuTime);
        printById(name + ".user", threads::getThreadUserTime);
        if (threads instanceof com.sun.management.ThreadMXBean) {
            com.sun.management.ThreadMXBean withArrays = (com.sun.management.ThreadMXBean) threads;
            printByArray(name + ".cpu", withArrays::getThreadCpuTime);
            printByArray(name + ".user", withArrays::getThreadUserTime);
        }
    }

    private void printById(String name, LongUnaryOperator byId) {
        ids.forEach((kind, id) -> Fact.print(name + "." + kind, Fact.kind(() -> byId.applyAsLong(id))));
    }

    private void printByArray(String name, Function<long[], long[]> byIds) {
        long ownId = ThreadIds.ownId();
        Fact.print(name + ".null", kinds(byIds, (long[]) null));
        Fact.print(name + ".[]", kinds(byIds));
        Fact.print(name + ".[own,own]", kinds(byIds, ownId, ownId));
        ids.forEach((kind, id) -> {
            Fact.print(name + ".[" + kind + "]", kinds(byIds, id));
            Fact.print(name + ".[" + kind + ",own," + kind + "]", kinds(byIds, id, ownId, id));
        });
        List<Long> accepted = ids.values().stream().filter(id -> id > 0).collect(Collectors.toList());
        Fact.print(name + ".[everyKindAccepted]", kinds(byIds, cycleOf(accepted, accepted.size())));
        Fact.print(name + ".[long]", Fact.answer(() -> counts(byIds.apply(cycleOf(accepted, LONG_ARRAY)))));
    }

    private static long[] cycleOf(List<Long> ids, int length) {
        return LongStream.range(0, length)
                .map(i -> ids.get((int) (i % ids.size())))
                .toArray();
    }

    private static String counts(long[] timesNs) {
        Map<String, Long> counts = Arrays.stream(timesNs)
                .mapToObj(Fact::kind)
                .collect(Collectors.groupingBy(kind -> kind, TreeMap::new, Collectors.counting()));
        return counts.toString();
    }

    private static String kinds(Function<long[], long[]> byIds, long... ids) {
        return Fact.kinds(() -> byIds.apply(ids));
    }
}
