// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadDumpTest {
    @Test
    void readsAThreadOfJdk8() {
        String text = "\"main\" #1 prio=5 os_prio=0 tid=0x00007f1c2800a000 nid=0x1a2b waiting on condition [0x00007f1c2f2f9000]\n"
                + "   java.lang.Thread.State: TIMED_WAITING (sleeping)\n\tat java.lang.Thread.sleep(Native Method)\n\n";
        assertThat(ThreadDump.parse(text, 0)).containsExactly(new ThreadDump.Entry(0x1a2b, 1, "main", false));
    }

    @Test
    void readsAThreadOfJdk25() {
        String text = "\"main\" #3 [4711] prio=5 os_prio=0 cpu=57.52ms elapsed=1.02s tid=0x00007f0d nid=4711 waiting on condition\n";
        assertThat(ThreadDump.parse(text, 0)).containsExactly(new ThreadDump.Entry(4711, 3, "main", false));
    }

    @Test
    void readsThreadsOfTheVmWithoutAJavaId() {
        String text = "\"GC Thread#0\" os_prio=0 cpu=0.10ms elapsed=1.02s tid=0x00007f0d nid=0x10 runnable\n";
        assertThat(ThreadDump.parse(text, 0)).containsExactly(new ThreadDump.Entry(16, 0, "GC Thread#0", false));
    }

    @Test
    void namesMayHoldAnything() {
        String text = "\"a \"quoted\" #7 nid=0x5 name\" #12 daemon prio=5 os_prio=0 tid=0x1 nid=0x22 runnable\n";
        assertThat(ThreadDump.parse(text, 0)).containsExactly(new ThreadDump.Entry(0x22, 12, "a \"quoted\" #7 nid=0x5 name", false));
    }

    @Test
    void carriersAreToldByWhatOneOfThemCarries() {
        String text = "\"ForkJoinPool-1-worker-1\" #25 [31] daemon prio=5 tid=0x1 nid=31 waiting on condition\n"
                + "   Carrying virtual thread #24\n"
                + "\"ForkJoinPool-1-worker-3\" #29 [34] daemon prio=5 os_prio=0 cpu=6.5ms elapsed=64.22s tid=0x4  [0x00007f8]\n"
                + "\"ForkJoinPool-1-worker-2\" #27 [32] daemon prio=5 tid=0x2 nid=32 waiting on condition\n"
                + "\"ForkJoinPool-2-worker-1\" #28 [33] daemon prio=5 tid=0x3 nid=33 waiting on condition\n";
        assertThat(ThreadDump.parse(text, 0)).extracting(ThreadDump.Entry::isCarrier).isEqualTo(List.of(true, true, true, false));
    }

    @Test
    void carriersAreToldByOneThatIsKnown() {
        String text = "\"ForkJoinPool-1-worker-1\" #25 [31] daemon prio=5 tid=0x1 nid=31 waiting on condition\n"
                + "\"ForkJoinPool-1-worker-2\" #27 [32] daemon prio=5 tid=0x2 nid=32 waiting on condition\n"
                + "\"ForkJoinPool-2-worker-1\" #28 [33] daemon prio=5 tid=0x3 nid=33 waiting on condition\n";
        assertThat(ThreadDump.parse(text, 27)).extracting(ThreadDump.Entry::isCarrier).isEqualTo(List.of(true, true, false));
    }

    @Test
    void whatIsNoDumpHasNoThreads() {
        assertThat(ThreadDump.parse("", 0)).isEmpty();
        assertThat(ThreadDump.parse("1\nrubbish nid=\n\"\n", 0)).isEmpty();
    }
}
