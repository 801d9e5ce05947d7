// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.ThreadClockCommand;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Does what README tells a newcomer to do, and looks for what README says they will see. About fifteen seconds. */
@Timeout(600)
@DisabledIfSystemProperty(named = "threadclock.brief", matches = ".*", disabledReason = "a run in full")
class LiveIT {
    private static final int OLDEST_FEATURE = 17;
    /** From here on the JDK's own user time is a system call, and no longer ten times slower. */
    private static final int FIRST_WITHOUT_PROC = 26;

    private static final int SIGTERM_STATUS = 128 + 15;
    private static final Pattern COMMAND = Pattern.compile(" {4}.*/threadclock attach (\\d+)");
    /** Time, units, median of user time. */
    private static final Pattern SECOND = Pattern.compile("\\d\\d:\\d\\d:\\d\\d +[\\d,]+ +([\\d,]+) .*");

    @TempDir
    Path directory;

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final AgentLibrary library = AgentLibrary.in(Path.of(".."));

    @BeforeEach
    void requireAJdkThatIsSlow() {
        Jdk oldest = Jdks.onePerFeature(OLDEST_FEATURE).get(0);
        Assumptions.assumeTrue(oldest.feature() < FIRST_WITHOUT_PROC, "JDK 25 or older; there is " + oldest);
    }

    @Test
    void callsGetFastWhenAttachedSlowWhenDetachedAndNothingIsLeft() throws Exception {
        try (ChildJvm demo = start()) {
            String pid = awaitPid(demo);
            long stockNs = awaitMedian(demo, ns -> true);
            assertThat(cli("attach", pid).stdout()).startsWith("attached to process " + pid);
            long attachedNs = awaitMedian(demo, ns -> ns * 10 < stockNs);
            assertThat(cli("detach", pid).stdout()).startsWith("detached from process " + pid);
            awaitMedian(demo, ns -> ns > attachedNs * 10);
            ProcessHandle.of(demo.pid()).orElseThrow().destroy();
            ChildResult ended = demo.await();
            assertThat(ended.exitStatus()).isEqualTo(SIGTERM_STATUS);
            assertNothingIsLeftOf(Long.parseLong(pid));
        }
    }

    private void assertNothingIsLeftOf(long pid) {
        assertThat(ProcessHandle.of(pid)).as("the program").isEmpty();
        assertThat(directory).as("its files").isEmptyDirectory();
        assertThat(Path.of("/tmp/.java_pid" + pid))
                .as("its socket for those who attach")
                .doesNotExist();
    }

    private ChildJvm start() {
        return ChildJvm.on(Jdks.running())
                .mainClass(io.threadclock.lab.Demo.class)
                .arguments("--live")
                .environment("TMPDIR", directory.toString())
                .environment("THREADCLOCK_HOME", directory.resolve("..").toString())
                .onStdout(lines::add)
                .start();
    }

    private ChildResult cli(String command, String pid) {
        return ChildJvm.on(Jdks.running())
                .mainClass(ThreadClockCommand.class)
                .arguments(command, "--timeout=120", pid)
                .environment("THREADCLOCK_LIBRARY", library.path().toString())
                .run();
    }

    private String awaitPid(ChildJvm demo) throws InterruptedException {
        return await(demo, COMMAND).group(1);
    }

    private long awaitMedian(ChildJvm demo, LongPredicate wanted) throws InterruptedException {
        while (true) {
            long medianNs = Long.parseLong(await(demo, SECOND).group(1).replace(",", ""));
            if (wanted.test(medianNs)) {
                return medianNs;
            }
        }
    }

    /** The next line that matches; none ever is what the time limit of the test is for. */
    private Matcher await(ChildJvm demo, Pattern pattern) throws InterruptedException {
        while (true) {
            boolean isAlive = demo.isAlive();
            String line = lines.poll(1, TimeUnit.SECONDS);
            assertThat(isAlive || line != null)
                    .as(() -> "the demo has ended: " + demo.stderrLinesSoFar())
                    .isTrue();
            Matcher matcher = pattern.matcher(line == null ? "" : line);
            if (matcher.matches()) {
                return matcher;
            }
        }
    }
}
