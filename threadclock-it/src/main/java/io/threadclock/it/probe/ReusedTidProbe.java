// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

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
 *
 * <p>Argument: how many heirs.
 */
public final class ReusedTidProbe {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Path LAST_TID = Paths.get("/proc/sys/kernel/ns_last_pid");
    /**
     * A kernel that is not told which tid comes next gives all others first, at least 32 768, which takes longer than
     * this.
     */
    private static final long LEAST_MS_TO_REUSE = 30;
    /** The JVM starts threads, too, and may take a tid away. */
    private static final int ATTEMPTS_PER_HEIR = 10;

    private int heirs;
    private String firstLie = "none";
    private int lies;

    private ReusedTidProbe() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Fact.print("mayChoose", Files.isWritable(LAST_TID));
        Gate.await("begin");
        ReusedTidProbe probe = new ReusedTidProbe();
        int wanted = Integer.parseInt(arguments[0]);
        for (int i = 0; i < wanted * ATTEMPTS_PER_HEIR && probe.heirs < wanted; i++) {
            probe.inherit(probe.heirs % 2 == 0, (probe.heirs & 2) == 0);
        }
        Fact.print("heirs", probe.heirs);
        Fact.print("lies", probe.lies);
        Fact.print("firstLie", probe.firstLie);
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
        if (lie && lies++ == 0) {
            firstLie = what;
        }
    }
}
