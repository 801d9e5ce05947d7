// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** Replies and lists of threads, of a JVM or of a process in its place. */
class ThreadsFuzzTest {
    @FuzzTest
    void replies(byte[] bytes) {
        AgentThreadReader reader = new AgentThreadReader(null, null, new MadeUp.Jvm(""));
        try {
            Snapshot snapshot = reader.snapshot(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()));
            require(snapshot.threads().size() * 24L <= bytes.length, "no more threads than were told");
        } catch (ProcessEnded refused) {
            return;
        }
    }

    @FuzzTest
    void stacks(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        require(ThreadDump.parse(text).entries().size() <= text.lines().count(), "a thread a line at most");
        int told = ThreadDump.stacks(text, Set.of(7, 8)).values().stream()
                .mapToInt(List::size)
                .sum();
        require(told <= text.lines().count(), "no more lines than were told");
    }

    @FuzzTest
    void linesOfStat(byte[] bytes) {
        try {
            String line = new String(bytes, StandardCharsets.UTF_8);
            SchedStat.parse(line).ifPresent(sched -> require(sched.timeslices() > 0, "what never ran tells nothing"));
            TaskStat stat = TaskStat.parse(line);
            stat.userNsOf(1_000_000);
        } catch (IllegalArgumentException refused) {
            return;
        }
    }

    private static void require(boolean law, String words) {
        if (!law) {
            throw new AssertionError(words);
        }
    }
}
