// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * Threads that get the kernel thread id of one that has just ended, in a pid namespace where this program may say which
 * tid comes next. What is told of the ended thread and of its heir must not be the other's figure. At the gate "begin"
 * the agent may be attached.
 */
public final class ReusedTidLaws {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Path LAST_TID = Paths.get("/proc/sys/kernel/ns_last_pid");
    /**
     * A kernel that is not told which tid comes next gives all others first, at least 32 768, which takes longer than
     * this.
     */
    private static final long LEAST_MS_TO_REUSE = 30;
    /** The JVM starts threads, too, and may take a tid away. */
    private static final int ATTEMPTS_PER_HEIR = 10;

    private static final int WANTED = 20;

    private int heirs;
    private String firstLie;

    void givesNeitherThreadTheOthersFigure() throws IOException, InterruptedException {
        assumeTrue(Files.isWritable(LAST_TID), "tids cannot be chosen by ns_last_pid here");
        Gate.await("begin");
        for (int i = 0; i < WANTED * ATTEMPTS_PER_HEIR && heirs < WANTED; i++) {
            inherit(heirs % 2 == 0, (heirs & 2) == 0);
        }
        assertThat(heirs).as("threads that got the tid of another").isEqualTo(WANTED);
        assertThat(firstLie).as("the first answer that cannot be true").isNull();
    }

    private void inherit(boolean firstWorks, boolean bothReadThemselves) throws IOException, InterruptedException {
        ShortLivedThread first = new ShortLivedThread(firstWorks, bothReadThemselves);
        first.start();
        ask(first);
        first.end();
        awaitEndOf(first.tid());
        Thread.sleep(LEAST_MS_TO_REUSE);
        Files.write(LAST_TID, Integer.toString(first.tid() - 1).getBytes(StandardCharsets.US_ASCII));
        ShortLivedThread heir = new ShortLivedThread(!firstWorks, bothReadThemselves);
        heir.start();
        if (heir.tid() == first.tid()) {
            heirs++;
            ask(first);
            ask(heir);
            ask(first);
        }
        heir.end();
        ask(heir);
    }

    /** The kernel may still be busy with a thread that the JVM has given up. */
    private static void awaitEndOf(int tid) throws InterruptedException {
        while (Files.exists(Paths.get("/proc/self/task/" + tid))) {
            Thread.sleep(1);
        }
    }

    private void ask(ShortLivedThread thread) {
        ShortLivedThread.State state = thread.state();
        long[] both = {ThreadIds.ownId(), thread.id()};
        judgeCpu(thread, state, THREADS.getThreadCpuTime(thread.id()));
        judgeUser(thread, state, THREADS.getThreadUserTime(thread.id()));
        judgeCpu(thread, state, THREADS.getThreadCpuTime(both)[1]);
        judgeUser(thread, state, THREADS.getThreadUserTime(both)[1]);
    }

    private void judgeCpu(ShortLivedThread thread, ShortLivedThread.State state, long cpuNs) {
        judge(thread.isContradictedByCpuTime(state, cpuNs), "CPU time, " + state + ": " + cpuNs);
    }

    private void judgeUser(ShortLivedThread thread, ShortLivedThread.State state, long userNs) {
        judge(thread.isContradictedByUserTime(state, userNs), "user time, " + state + ": " + userNs);
    }

    private void judge(boolean lie, String what) {
        if (lie && firstLie == null) {
            firstLie = what;
        }
    }
}
