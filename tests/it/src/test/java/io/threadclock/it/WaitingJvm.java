// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.EchoProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A JVM that has started, and does nothing until it is closed. */
final class WaitingJvm implements AutoCloseable {
    /** Whatever has not come after this time has hung. */
    static final Duration WATCHDOG = Duration.ofMinutes(5);

    private static final long LOOK_MS = 100;

    private final CountDownLatch ready = new CountDownLatch(1);
    private final ChildJvm child;

    WaitingJvm(Jdk jdk, String... jvmOptions) {
        this(jdk, List.of(), List.of(), jvmOptions);
    }

    /** @param main says {@link EchoProbe#READY}, too */
    WaitingJvm(Jdk jdk, Class<?> main, String... jvmOptions) {
        this(jdk, main, List.of(), List.of(), jvmOptions);
    }

    /**
     * @param starter see {@link ChildJvm.Builder#startedBy}
     * @param classPath empty: that of this JVM
     */
    WaitingJvm(Jdk jdk, List<String> starter, List<Path> classPath, String... jvmOptions) {
        this(jdk, EchoProbe.class, starter, classPath, jvmOptions);
    }

    private WaitingJvm(Jdk jdk, Class<?> main, List<String> starter, List<Path> classPath, String... jvmOptions) {
        child = ChildJvm.on(jdk)
                .classPath(classPath)
                .startedBy(starter.toArray(String[]::new))
                .jvmOptions("-Xmx64m")
                .jvmOptions(Thoroughness.shortLife(List.of(jvmOptions)))
                .jvmOptions(jvmOptions)
                .mainClass(main)
                .onStdout(line -> {
                    if (line.equals(EchoProbe.READY)) {
                        ready.countDown();
                    }
                })
                .start();
        awaitReady();
        removeLeftover();
    }

    /**
     * A JVM of the same pid that was killed may have left a socket, which another user's can neither use nor replace.
     */
    private void removeLeftover() {
        Path socket = Path.of("/tmp/.java_pid" + child.pid());
        try {
            if (!uid(socket).equals(uid(Path.of("/proc", pid())))) {
                Files.delete(socket);
            }
        } catch (IOException thereIsNone) {
            return;
        }
    }

    private static Object uid(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    private void awaitReady() {
        try {
            long beginNs = System.nanoTime();
            while (!ready.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                if (!child.isAlive() || System.nanoTime() - beginNs > WATCHDOG.toNanos()) {
                    child.close();
                    throw new AssertionError(
                            "the JVM has ended or hung before it was ready: " + child.stderrLinesSoFar());
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    String pid() {
        return Long.toString(child.pid());
    }

    /** To its input. */
    void send(String line) {
        child.send(line);
    }

    /** Ends it by the end of its input. */
    ChildResult end() {
        child.endInput();
        return child.await();
    }

    /**
     * The requests that the stub agent in it has got, in order, once it has ended; but for the source, which
     * {@code attach} asks for where a filter or a setting may refuse the better ones.
     */
    List<String> asked() {
        return end().stderrLines().stream()
                .filter(line -> line.startsWith("agent: "))
                .map(line -> line.substring("agent: ".length()))
                .filter(options -> !options.equals("view"))
                .toList();
    }

    void signal(String name) throws Exception {
        CCompiler.status(List.of("sh", "-c", "kill -" + name + " " + pid()));
    }

    /** Returns when it has stopped, which a signal only asks for. */
    void stop() throws Exception {
        signal("STOP");
        Interruption.awaitStopped(child.pid());
    }

    @Override
    public void close() {
        child.close();
    }
}
