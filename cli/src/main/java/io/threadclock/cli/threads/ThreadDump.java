// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import io.threadclock.cli.process.Bounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The threads that a JVM lists with their stacks: name, Java id and tid of each.
 *
 * @param mayHaveCarriers false if a JDK without virtual threads wrote it
 */
record ThreadDump(List<Entry> entries, boolean mayHaveCarriers) {
    /**
     * The rest of a line after the name: {@code "name" #12 [34] daemon prio=5 … tid=0x7f… nid=34 …}. Up to JDK 20,
     * {@code [34]} is missing and nid is hexadecimal. Later, nid is missing while the thread carries a virtual thread.
     */
    private static final Pattern HEAD = Pattern.compile(
            "(?:#(\\d{1,18}) )?(?:\\[(\\d{1,9})\\] )?[^\"]*\\btid=0x[0-9a-f]+(?: nid=(0x[0-9a-f]{1,7}|\\d{1,9})\\b)?.*");

    private static final List<String> CARRIES =
            List.of("Carrying virtual thread", "jdk.internal.vm.Continuation.run", "jdk.internal.misc.CarrierThread");

    /**
     * One thread.
     *
     * @param carries whether it carries a virtual thread at this moment
     */
    record Entry(int tid, long javaId, String name, boolean carries) {}

    static ThreadDump parse(String text) {
        List<Entry> entries = new ArrayList<>();
        boolean mayHaveCarriers = text.isEmpty();
        for (Iterator<String> lines = text.lines().iterator(); lines.hasNext() && entries.size() < Bounds.STACKS; ) {
            String line = lines.next();
            Optional<Head> head = Head.of(line);
            int last = entries.size() - 1;
            if (head.isPresent()) {
                entries.add(head.get().entry);
                mayHaveCarriers |= head.get().hasBrackets;
            } else if (last >= 0 && CARRIES.stream().anyMatch(line::contains)) {
                Entry its = entries.get(last);
                entries.set(last, new Entry(its.tid, its.javaId, its.name, true));
            }
        }
        return new ThreadDump(entries, mayHaveCarriers);
    }

    /** The lines about some threads, from the name of each on; a thread that is not listed is missing. */
    static Map<Integer, List<String>> stacks(String text, Set<Integer> tids) {
        Map<Integer, List<String>> stacks = new HashMap<>();
        List<String> stack = null;
        for (Iterator<String> lines = text.lines().iterator(); lines.hasNext(); ) {
            String line = lines.next();
            Optional<Head> head = Head.of(line);
            if (head.isPresent()) {
                int tid = head.get().entry.tid;
                stack = tids.contains(tid) && !stacks.containsKey(tid) ? new ArrayList<>() : null;
                if (stack != null) {
                    stacks.put(tid, stack);
                }
            } else if (line.isBlank()) {
                stack = null;
            }
            if (stack != null && stack.size() < Bounds.STACK_LINES) {
                stack.add(line.substring(0, Math.min(Bounds.STACK_LINE_CHARACTERS, line.length())));
            }
        }
        return stacks;
    }

    /** The line with which a thread begins. */
    private record Head(Entry entry, boolean hasBrackets) {
        /**
         * Names may contain quotes, and the last quote before the address ends the name. A search in this order takes
         * time in proportion to the line.
         */
        static Optional<Head> of(String line) {
            int address = line.startsWith("\"") && line.length() <= Bounds.STACK_LINE_CHARACTERS
                    ? line.lastIndexOf(" tid=0x")
                    : -1;
            int end = address < 0 ? 0 : line.lastIndexOf("\" ", address);
            if (end < 1) {
                return Optional.empty();
            }
            Matcher rest = HEAD.matcher(line.substring(end + 2));
            return rest.matches() && (rest.group(2) != null || rest.group(3) != null)
                    ? Optional.of(new Head(entry(line.substring(1, end), rest), rest.group(2) != null))
                    : Optional.empty();
        }

        private static Entry entry(String name, Matcher rest) {
            long javaId = rest.group(1) == null ? 0 : Long.parseLong(rest.group(1));
            return new Entry(number(rest.group(3) == null ? rest.group(2) : rest.group(3)), javaId, name, false);
        }

        private static int number(String tid) {
            return tid.startsWith("0x") ? Integer.parseInt(tid.substring(2), 16) : Integer.parseInt(tid);
        }
    }
}
