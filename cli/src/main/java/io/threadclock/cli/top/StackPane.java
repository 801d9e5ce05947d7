// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.process.Printable;
import io.threadclock.cli.threads.ThreadReader;
import io.threadclock.cli.threads.ThreadSnapshot;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The stack of one thread. A thread of its own requests it, so that a JVM that does not answer does not hold up the
 * keys.
 */
final class StackPane {
    private static final String TAB = "    ";

    private final String title;
    private final CompletableFuture<List<String>> lines = new CompletableFuture<>();
    private int scroll;
    private boolean wasSeen;

    StackPane(ThreadReader reader, ThreadSnapshot thread) {
        title = "stack of " + Printable.line(thread.name()) + ", tid " + thread.tid();
        Thread asker = new Thread(() -> lines.complete(stack(reader, thread.tid())), "stack");
        asker.setDaemon(true);
        asker.start();
    }

    private static List<String> stack(ThreadReader reader, int tid) {
        try {
            List<String> stack = reader.stacks(Set.of(tid)).getOrDefault(tid, List.of());
            return stack.isEmpty()
                    ? List.of(
                            "It cannot be had: the JVM lists no such thread, or does not answer. From outside",
                            "(--no-attach) nothing is asked.")
                    : stack.stream().map(StackPane::printable).toList();
        } catch (RuntimeException refused) {
            return List.of("It cannot be had: " + Printable.line(String.valueOf(refused.getMessage())));
        }
    }

    /** A line of a stack. */
    static String printable(String line) {
        return Printable.line(line.replace("\t", TAB));
    }

    String title() {
        return title;
    }

    /** Whether the shown text has changed by itself; true only once. */
    boolean hasCome() {
        boolean isNew = lines.isDone() && !wasSeen;
        wasSeen |= isNew;
        return isNew;
    }

    void scrollBy(int rows) {
        scroll = Math.max(0, scroll + rows);
    }

    /** As many lines as fit. */
    List<String> lines(int room) {
        List<String> all = lines.getNow(List.of("The JVM is asked …"));
        scroll = Math.min(scroll, Math.max(0, all.size() - room));
        return all.stream().skip(scroll).limit(room).toList();
    }
}
