// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.attach.StatusPages.VirtualThreads;
import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.process.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusPagesTest {
    private static final String FILE = " /x/libthreadclock.so (deleted)\n";
    private static final String LIBRARY =
            "7f0010000-7f0011000 r-xp 00000000 fd:00 1" + FILE + "7f0011000-7f0012000 rw-p 00001000 fd:00 1" + FILE;
    private static final String ZEROED = "7f0012000-7f0013000 rw-p 00000000 00:00 0 \n";
    private static final String MARK = "7f0013000-7f0014000 -w-p 00000000 00:00 0 \n";
    private static final String NOT_USED = "7f0014000-7f0016000 rw-p 00000000 00:00 0 \n";
    private static final String USED =
            "7f0014000-7f0015000 ---p 00000000 00:00 0 \n" + NOT_USED.replace("4000-", "5000-");

    private static final String OFF = ZEROED.replace("rw-p", "r--p");
    private static final String ON = ZEROED.replace("rw-p", "---p");
    private static final String IMPOSSIBLE = ON.replace("3000", "2800") + OFF.replace("2000", "2800");

    @TempDir
    Path mount;

    private Optional<Boolean> isInUse(String maps) {
        return StatusPages.isInUse(target(maps));
    }

    private Optional<VirtualThreads> virtualThreads(String maps) {
        return StatusPages.virtualThreads(target(maps));
    }

    private Target target(String maps) {
        return new FakeProc(mount).write("77/maps", FakeProc.LIBJVM + maps).target();
    }

    @Test
    void aLibraryInUseIsSeen() {
        assertThat(isInUse(LIBRARY + ZEROED + MARK + USED)).contains(true);
    }

    @Test
    void aLibraryThatIsOnlyLoadedIsNotInUse() {
        assertThat(isInUse(LIBRARY + ZEROED + MARK + NOT_USED)).contains(false);
        assertThat(isInUse(LIBRARY + MARK.replace("3000", "2000").replace("4000", "3000")))
                .contains(false);
    }

    @Test
    void aProcessWithoutTheLibraryDoesNotUseIt() {
        assertThat(isInUse(ZEROED + MARK + USED)).contains(false);
    }

    @Test
    void anOlderLibraryDoesNotTell() {
        assertThat(isInUse(LIBRARY + ZEROED)).isEmpty();
        assertThat(isInUse(LIBRARY)).isEmpty();
    }

    @Test
    void pagesOfOthersAreNotTheLibrarys() {
        assertThat(isInUse(LIBRARY + MARK + USED)).as("behind a gap").isEmpty();
        String others = "7f0012000-7f0013000 rw-p 00000000 fd:00 2 /x/other.so\n";
        assertThat(isInUse(LIBRARY + others + MARK + USED))
                .as("behind another file")
                .isEmpty();
    }

    @Test
    void ofTwoCopiesOneMayBeInUse() {
        String other = LIBRARY.replace("7f001", "7f101").replace("/x/", "/y/");
        assertThat(isInUse(LIBRARY + ZEROED + MARK + USED + other)).contains(true);
        assertThat(isInUse(LIBRARY + ZEROED + MARK + NOT_USED + other))
                .as("the other one does not tell")
                .isEmpty();
    }

    @Test
    void whatIsDoneForVirtualThreadsIsSeen() {
        assertThat(virtualThreads(LIBRARY + OFF + MARK + USED)).contains(VirtualThreads.OFF);
        assertThat(virtualThreads(LIBRARY + ON + MARK + USED)).contains(VirtualThreads.ON);
        assertThat(virtualThreads(LIBRARY + IMPOSSIBLE + MARK + USED)).contains(VirtualThreads.IMPOSSIBLE);
        assertThat(virtualThreads(LIBRARY + IMPOSSIBLE + MARK + NOT_USED))
                .as("refused when it was attached")
                .contains(VirtualThreads.IMPOSSIBLE);
    }

    @Test
    void theAgentIsSeenToBeInUseWhateverItDoesForVirtualThreads() {
        for (String told : List.of(OFF, ON, IMPOSSIBLE)) {
            assertThat(isInUse(LIBRARY + told + MARK + USED)).as(told).contains(true);
            assertThat(isInUse(LIBRARY + told + MARK + NOT_USED)).as(told).contains(false);
        }
    }

    @Test
    void anOlderLibraryDoesNotTellOfVirtualThreads() {
        assertThat(virtualThreads(LIBRARY + ZEROED + MARK + USED)).isEmpty();
        assertThat(virtualThreads(LIBRARY + ZEROED)).isEmpty();
        assertThat(virtualThreads(LIBRARY + MARK.replace("3000", "2000").replace("4000", "3000")))
                .as("not in use")
                .contains(VirtualThreads.OFF);
    }

    @Test
    void ofTwoCopiesOneMayAccountVirtualThreads() {
        String other = LIBRARY.replace("7f001", "7f101").replace("/x/", "/y/");
        assertThat(virtualThreads(LIBRARY + ON + MARK + USED + other)).contains(VirtualThreads.ON);
        assertThat(virtualThreads(LIBRARY + OFF + MARK + NOT_USED + other))
                .as("the other one does not tell")
                .isEmpty();
    }

    @Test
    void linesThatAreNoneAreLeftOut() {
        String hostile = "zzz\n-\n\n7f00112223334445556667-7f rw-p 0 0 0 \n7f0012000-7f0013000 -w-p\n";
        assertThat(isInUse(hostile + LIBRARY + hostile + ZEROED + MARK + USED)).contains(true);
    }
}
