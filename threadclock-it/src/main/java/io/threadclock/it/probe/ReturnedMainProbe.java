// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import java.util.Optional;

/**
 * The program goes on when main() has returned. The kernel thread of "main" then belongs to "DestroyJavaVM", with all
 * its time.
 */
public final class ReturnedMainProbe {
    private static final long BUSY_MS = 200;

    private ReturnedMainProbe() {}

    public static void main(String[] arguments) {
        Spin.forMs(BUSY_MS);
        Thread main = Thread.currentThread();
        ThreadsSnapshot before = ThreadsSnapshot.take();
        new Thread(() -> compare(before, main)).start();
    }

    private static void compare(ThreadsSnapshot before, Thread main) {
        ThreadsSnapshot after = onceMainHasReturned();
        ThreadSample now = destroyer(after).get();
        ThreadSample then = before.thread(main.getId()).get();
        Fact.print("tid", now.tid() == then.tid() && now.tid() > 0);
        Fact.print("sinceMain", now.cpuTimeNs() - then.cpuTimeNs());
        after.diff(before).threads().stream()
                .filter(usage -> usage.threadId() == now.threadId())
                .forEach(usage -> Fact.print("usage", usage.cpuTimeNs()));
        Fact.print("continuesMain", now.continues(then));
        Fact.print("continuesOther", ownOf(after).continues(then));
    }

    private static ThreadsSnapshot onceMainHasReturned() {
        ThreadsSnapshot now;
        do {
            now = ThreadsSnapshot.take();
        } while (!destroyer(now).isPresent());
        return now;
    }

    private static Optional<ThreadSample> destroyer(ThreadsSnapshot times) {
        return times.threads().stream()
                .filter(sample -> sample.name().equals("DestroyJavaVM"))
                .findFirst();
    }

    private static ThreadSample ownOf(ThreadsSnapshot times) {
        return times.thread(Thread.currentThread().getId()).get();
    }
}
