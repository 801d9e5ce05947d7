// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.JvmFinder.Admission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JvmFinderTest extends OverFakeProc {
    private static final long S = TimeUnit.SECONDS.toNanos(1);

    private final List<String> said = new ArrayList<>();
    private JvmFinder finder;

    @BeforeEach
    void begin() {
        finder = finder();
        process("sh", "");
    }

    private JvmFinder finder() {
        return new JvmFinder(fake.proc(), false, 0, said::add);
    }

    private void process(String name, String maps) {
        process(name, maps, 99);
    }

    private void process(String name, String maps, int start) {
        fake.write("78/stat", "78 (" + name + ") S 1 77 77 0 -1 0 1 2 3 4 5 6 7 8 20 0 20 0 " + start + " 100 200 3\n");
        fake.write("78/maps", maps);
    }

    @Test
    void aProcessThatBecomesAJvmIsFound() {
        assertThat(finder.find(0)).containsOnlyKeys(77);
        process("sh", FakeProc.LIBJVM);
        assertThat(finder.find(S)).containsOnlyKeys(77, 78);
        process("cat", "");
        assertThat(finder.find(2 * S)).containsOnlyKeys(77);
    }

    /** This command had started a second before the finder was made; 78 did another 4 s later. */
    @Test
    void oneThatIsYoungerThanASecondIsNotTaken() {
        fake.write("self/stat", "1 (java) S 0 0 0 0 -1 0 1 2 3 4 5 6 7 8 20 0 20 0 4800 100 200 3\n");
        assertThat(finder().find(0)).isEmpty();
        fake.write("self/stat", "1 (java) S 0 0 0 0 -1 0 1 2 3 4 5 6 7 8 20 0 20 0 4811 100 200 3\n");
        JvmFinder later = finder();
        assertThat(later.find(0)).containsExactly(Map.entry(77, 4711L));
        process("sh", FakeProc.LIBJVM, 5200);
        assertThat(later.find(4 * S + S / 2)).containsOnlyKeys(77);
        assertThat(later.find(5 * S + S / 2)).containsOnlyKeys(77, 78);
        process("java", FakeProc.LIBJVM, 5200); // after an exec
        assertThat(later.find(6 * S)).containsOnlyKeys(77);
        assertThat(later.find(7 * S)).containsOnlyKeys(77, 78);
    }

    @Test
    void thisProgramsOwnAreNotTaken() {
        fake.write("77/cmdline", "java\0-cp\0a.jar\0io.threadclock.cli.ThreadClockCommand\0record\0");
        assertThat(finder.find(0)).isEmpty();
    }

    /** No process has such a file. */
    @Test
    void oneThatCannotBeLookedAtIsSaidOnceAndKeepsNoOther() {
        process("java", FakeProc.LIBJVM);
        fake.write("78/status", "Tgid:\tx\n");
        assertThat(finder.find(0)).containsOnlyKeys(77);
        assertThat(finder.find(S)).containsOnlyKeys(77);
        assertThat(said)
                .singleElement()
                .asString()
                .startsWith("looking at process 78: this command has failed at it: ");
        assertThat(JvmList.of(fake.proc(), false, said::add).entries())
                .extracting(JvmList.Entry::pid)
                .containsExactly(77);
        assertThat(said).hasSize(2);
    }

    @Test
    void nobodysJvmsHideThoseOfOthers() {
        List<Admission.Candidate> jvms = new ArrayList<>();
        for (int pid = 1; pid <= 2000; pid++) {
            jvms.add(new Admission.Candidate(pid, pid <= 1900 ? 5 : pid <= 1910 ? 6 : pid <= 1955 ? 0 : 7));
        }
        Admission admission = Admission.of(jvms, 7);
        assertThat(admission
                        .pids()
                        .subList(Bounds.JVMS_OF_ANOTHER_USER, admission.pids().size()))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1901, 2000).boxed().toList());
        admission.tell(said::add);
        assertThat(said).singleElement().asString().startsWith("and 1650 more JVMs, ");
    }

    @Test
    void oneThatIsNoneForAWhileIsLookedAtAgainWhenItHasAnotherName() {
        finder.find(0);
        finder.find(61 * S);
        process("sh", FakeProc.LIBJVM);
        assertThat(finder.find(62 * S)).containsOnlyKeys(77);
        process("java", FakeProc.LIBJVM);
        assertThat(finder.find(63 * S)).containsOnlyKeys(77);
        assertThat(finder.find(64 * S)).containsOnlyKeys(77, 78);
    }
}
