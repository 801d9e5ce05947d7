// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadDumpTest {
    private static final String DIGITS = "9".repeat(100);

    private static List<ThreadDump.Entry> entries(String text) {
        return ThreadDump.parse(text).entries();
    }

    /** Of JDK 8 with its stack, of JDK 25, of the VM without a Java id, and with a name that holds anything. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    "main" #1 prio=5 os_prio=0 tid=0x7f1c nid=0x1a2b waiting on condition [0x7f]|6699|1|main|false
                    "main" #3 [4711] prio=5 os_prio=0 cpu=57.52ms tid=0x7f0d nid=4711 waiting|4711|3|main|true
                    "GC Thread#0" os_prio=0 cpu=0.10ms elapsed=1.02s tid=0x7f0d nid=0x10 runnable|16|0|GC Thread#0|false
                    "a "quoted" #7 nid=0x5 name" #12 prio=5 tid=0x1 nid=0x22 r|34|12|a "quoted" #7 nid=0x5 name|false
                    """)
    void readsAThread(String line, int tid, long javaId, String name, boolean mayHaveCarriers) {
        ThreadDump dump =
                ThreadDump.parse(line + "\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(Native Method)\n\n");
        assertThat(dump.entries()).containsExactly(new ThreadDump.Entry(tid, javaId, name, false));
        assertThat(dump.mayHaveCarriers()).isEqualTo(mayHaveCarriers);
    }

    @Test
    void tellsWhoCarriesAVirtualThread() {
        String text = "\"ForkJoinPool-1-worker-1\" #25 [31] daemon prio=5 tid=0x1 nid=31 waiting on condition\n"
                + "   Carrying virtual thread #24\n"
                + "\"ForkJoinPool-1-worker-3\" #29 [34] daemon prio=5 os_prio=0 cpu=6.5ms elapsed=64.22s tid=0x4  [0x00007f8]\n"
                + "\"ForkJoinPool-1-worker-2\" #27 [32] daemon prio=5 tid=0x2 nid=32 waiting on condition\n";
        assertThat(entries(text)).extracting(ThreadDump.Entry::carries).containsExactly(true, false, false);
    }

    /** The third line is longer than any that a JVM writes, and the fourth has figures that none does. */
    @Test
    void whatNoJvmWritesIsNoThread() {
        assertThat(Stream.of(
                        "",
                        "1\nrubbish nid=\n\"\n",
                        "\"" + "tid=0x1 nid=1 #1 ".repeat(200_000) + "\n",
                        "\"x\" #1 prio=5 tid=0x1 nid=0x" + DIGITS + " runnable\n"))
                .allMatch(text -> entries(text).isEmpty());
        assertThat(entries("\"x\" #" + DIGITS + " prio=5 tid=0x1 nid=7 runnable\n"))
                .allMatch(thread -> thread.javaId() == 0);
    }

    @Test
    void findsTheStacksOfSomeThreads() {
        String text = "0\n2026-11-22 12:00:00\nFull thread dump\n\n"
                + "\"main\" #1 [11] prio=5 tid=0x1 nid=11 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat Main.main(Main.java:7)\n\n"
                + "\"GC Thread#0\" os_prio=0 tid=0x2 nid=12 runnable\n\"GC Thread#1\" os_prio=0 tid=0x2 nid=13 runnable\n\n";
        assertThat(stack(text, 11)).hasSize(3).last().isEqualTo("\tat Main.main(Main.java:7)");
        assertThat(stack(text, 12)).hasSize(1);
        assertThat(stack(text, 14)).isEmpty();
        assertThat(stack("", 11)).isEmpty();
        assertThat(ThreadDump.stacks(text, Set.of(13, 11))).containsOnlyKeys(11, 13);
    }

    private static List<String> stack(String text, int tid) {
        return ThreadDump.stacks(text, Set.of(tid)).getOrDefault(tid, List.of());
    }

    @Test
    void aStackWithoutEndIsCut() {
        String text = "\"main\" #1 [11] prio=5 tid=0x1 nid=11 runnable\n" + "\tat x\n".repeat(100_000);
        assertThat(stack(text, 11)).hasSize(5000);
    }

    /** Each of 4,000 quotes may end the name. A pattern that tries them all takes seconds per line. */
    @Test
    void linesOfManyQuotesTakeNoLongerThanOthers() {
        String line = "\" ".repeat(2_000) + "tid=0xg\n";
        assertThat(entries(line.repeat(5_000))).isEmpty();
    }
}
