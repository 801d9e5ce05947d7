// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.view;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The threads that a JVM lists when it is asked for their stacks: name, Java id and tid of each. */
final class ThreadDump {
    /**
     * {@code "name" #12 [34] daemon prio=5 … tid=0x7f… nid=34 …}: up to JDK 20 without {@code [34]}, and nid is hexadecimal;
     * from then on without nid while it carries a virtual thread. Names may hold quotes.
     */
    private static final Pattern HEAD = Pattern.compile(
            "^\"(.*)\" (?:#(\\d+) )?(?:\\[(\\d+)\\] )?.*\\btid=0x[0-9a-f]+(?:.*\\bnid=(0x[0-9a-f]+|\\d+)\\b)?.*");

    private static final Pattern POOL = Pattern.compile("(.*?)\\d+$");
    private static final List<String> CARRIES =
            List.of("Carrying virtual thread", "jdk.internal.vm.Continuation.run", "jdk.internal.misc.CarrierThread");

    /** One thread. */
    record Entry(int tid, long javaId, String name, boolean isCarrier) {}

    private ThreadDump() {}

    /** @param carrierJavaId of one that is known to carry virtual threads; 0: none is */
    static List<Entry> parse(String text, long carrierJavaId) {
        List<Entry> entries = new ArrayList<>();
        Set<String> carrierPools = new HashSet<>();
        for (String line : text.split("\n")) {
            Matcher head = HEAD.matcher(line);
            if (head.matches() && (head.group(3) != null || head.group(4) != null)) {
                Entry entry = entry(head);
                entries.add(entry);
                if (carrierJavaId != 0 && entry.javaId() == carrierJavaId) {
                    carrierPools.add(pool(entry.name()));
                }
            } else if (!entries.isEmpty() && CARRIES.stream().anyMatch(line::contains)) {
                carrierPools.add(pool(entries.get(entries.size() - 1).name()));
            }
        }
        return entries.stream().map(entry -> marked(entry, carrierPools)).toList();
    }

    private static Entry entry(Matcher head) {
        long javaId = head.group(2) == null ? 0 : Long.parseLong(head.group(2));
        String tid = head.group(4) == null ? head.group(3) : head.group(4);
        return new Entry((int) (long) Long.decode(tid), javaId, head.group(1), false);
    }

    /** One that carries nothing just now is told by its neighbours. */
    private static Entry marked(Entry entry, Set<String> carrierPools) {
        boolean isCarrier = entry.javaId() != 0 && carrierPools.contains(pool(entry.name()));
        return isCarrier ? new Entry(entry.tid(), entry.javaId(), entry.name(), true) : entry;
    }

    private static String pool(String name) {
        Matcher matcher = POOL.matcher(name);
        return matcher.matches() ? matcher.group(1) : name;
    }
}
