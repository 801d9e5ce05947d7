// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.view;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The threads that a JVM lists when it is asked for their stacks: name, Java id and tid of each.
 *
 * @param mayHaveCarriers false: it was written by a JDK without virtual threads
 */
record ThreadDump(List<Entry> entries, boolean mayHaveCarriers) {
    /**
     * {@code "name" #12 [34] daemon prio=5 … tid=0x7f… nid=34 …}: up to JDK 20 without {@code [34]}, and nid is hexadecimal;
     * from then on without nid while it carries a virtual thread. Names may hold quotes.
     */
    private static final Pattern HEAD = Pattern.compile(
            "^\"(.*)\" (?:#(\\d+) )?(?:\\[(\\d+)\\] )?.*\\btid=0x[0-9a-f]+(?:.*\\bnid=(0x[0-9a-f]+|\\d+)\\b)?.*");

    private static final List<String> CARRIES =
            List.of("Carrying virtual thread", "jdk.internal.vm.Continuation.run", "jdk.internal.misc.CarrierThread");

    /**
     * One thread.
     *
     * @param carries whether it carries a virtual thread just now
     */
    record Entry(int tid, long javaId, String name, boolean carries) {}

    /** What a JVM writes is shorter; a longer one would take the pattern long. */
    private static final int LONGEST_LINE = 4096;

    private static final int MOST_STACK_LINES = 5000;

    static ThreadDump parse(String text) {
        List<Entry> entries = new ArrayList<>();
        boolean mayHaveCarriers = text.isEmpty();
        for (String line : text.split("\n")) {
            Matcher head = HEAD.matcher(line);
            int last = entries.size() - 1;
            if (isHead(line, head)) {
                entries.add(entry(head));
                mayHaveCarriers |= head.group(3) != null;
            } else if (last >= 0 && CARRIES.stream().anyMatch(line::contains)) {
                Entry its = entries.get(last);
                entries.set(last, new Entry(its.tid, its.javaId, its.name, true));
            }
        }
        return new ThreadDump(entries, mayHaveCarriers);
    }

    /** What is written of one thread, from its name on; empty: nothing is. */
    static List<String> stack(String text, int tid) {
        List<String> lines = new ArrayList<>();
        for (String line : text.split("\n")) {
            Matcher head = HEAD.matcher(line);
            boolean isHead = isHead(line, head);
            if (lines.isEmpty() ? isHead && entry(head).tid == tid : !isHead && !line.isBlank() && lines.size() < MOST_STACK_LINES) {
                lines.add(line);
            } else if (!lines.isEmpty()) {
                break;
            }
        }
        return lines;
    }

    private static boolean isHead(String line, Matcher head) {
        return line.startsWith("\"")
                && line.length() <= LONGEST_LINE
                && head.matches()
                && (head.group(3) != null || head.group(4) != null);
    }

    private static Entry entry(Matcher head) {
        long javaId = head.group(2) == null ? 0 : Long.parseLong(head.group(2));
        String tid = head.group(4) == null ? head.group(3) : head.group(4);
        return new Entry((int) (long) Long.decode(tid), javaId, head.group(1), false);
    }
}
