// SPDX-License-Identifier: Apache-2.0

import io.threadclock.CpuAccount;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Subtask;

/**
 * Forks tasks in a scope whose factory is threadclock's: they inherit scoped values, read themselves, and have a common
 * account.
 */
final class Structured {
    private static final ScopedValue<String> USER = ScopedValue.newInstance();
    private static final long WORK_NS = 5_000_000;

    private Structured() {}

    public static void main(String[] arguments) throws Exception {
        CpuAccount account = new CpuAccount();
        ScopedValue.where(USER, "alice").call(() -> {
            try (var scope = StructuredTaskScope.open(
                    StructuredTaskScope.Joiner.<String>awaitAllSuccessfulOrThrow(),
                    configuration ->
                            configuration.withThreadFactory(account.wrapThreadFactory(VirtualThreads.factory())))) {
                Subtask<String> first = scope.fork(Structured::work);
                Subtask<String> second = scope.fork(Structured::work);
                scope.join();
                System.out.println(first.get() + "\n" + second.get());
            }
            return null;
        });
        System.out.println("all have used " + account.read());
    }

    private static String work() throws InterruptedException {
        CpuTimes before = ThreadClock.read();
        while (ThreadClock.cpuTimeNs() < before.cpuTimeNs() + WORK_NS) {
            Thread.sleep(0, 1);
        }
        CpuTimes after = ThreadClock.read();
        return USER.get() + " has used " + (after.cpuTimeNs() - before.cpuTimeNs()) + " ns";
    }
}
