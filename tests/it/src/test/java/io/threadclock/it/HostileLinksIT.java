// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildResult;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Root of a container, and other users of this machine, put links and sockets where a JVM has its own. */
class HostileLinksIT {
    private static final int NOBODY = 65534;
    /** The JVM listens from its start, so that nobody has to ask it to. */
    private static final String LISTENING = "-XX:+StartAttachListener";

    @TempDir(factory = OutsideOfTmp.class)
    static Path directory;

    private static Path agent;
    private static Path classes;

    private Path planted;

    @BeforeAll
    static void compileTheAgent() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                CCompiler.status(List.of("test", "-w", "/proc/sys/kernel/hostname")) == 0, "this is not root");
        agent = StubAgent.compiledIn(directory).toRealPath();
        classes = ForeignJvmIT.classesIn(directory);
    }

    @AfterEach
    void takeAway() throws IOException {
        if (planted != null) {
            Files.deleteIfExists(planted);
        }
    }

    @Test
    void aLinkInAContainerDoesNotLeadToAJvmOutsideOfIt() throws Exception {
        assumeMountNamespaces();
        try (WaitingJvm victim = new WaitingJvm(CommandLineTool.RUNTIME, LISTENING);
                WaitingJvm contained = contained()) {
            Path tmp = Path.of("/proc", contained.pid(), "root/tmp");
            Files.createSymbolicLink(tmp.resolve(".java_pid" + contained.pid()), socketOf(victim));
            String refusal = CommandLineTool.refusal(attach(contained));
            assertThat(victim.asked()).as("what the JVM outside was asked").isEmpty();
            assertThat(refusal)
                    .contains("the JVM cannot be reached, /tmp/.java_pid" + contained.pid() + " in it is no socket");
        }
    }

    @Test
    void aLinkOfAnotherUserDoesNotLeadToAnotherJvm() throws Exception {
        try (WaitingJvm victim = new WaitingJvm(CommandLineTool.RUNTIME, LISTENING);
                WaitingJvm other = new WaitingJvm(CommandLineTool.RUNTIME)) {
            planted = Files.createSymbolicLink(socketOf(other), socketOf(victim));
            ownedByNobody(planted);
            String refusal = CommandLineTool.refusal(attach(other));
            assertThat(victim.asked()).as("what the other JVM was asked").isEmpty();
            assertThat(refusal).contains("the JVM cannot be reached, " + planted + " in it is no socket");
        }
    }

    @Test
    void aSocketOfAnotherUserIsNotTakenForTheJvms() throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME);
                ServerSocketChannel stranger = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            planted = socketOf(jvm);
            stranger.bind(UnixDomainSocketAddress.of(planted)).configureBlocking(false);
            ownedByNobody(planted);
            String refusal = CommandLineTool.refusal(attach(jvm, "--timeout=2"));
            assertThat(stranger.accept()).as("who came to the stranger").isNull();
            assertThat(refusal).contains("the JVM cannot be reached, " + planted + " in it is user " + NOBODY + "'s");
        }
    }

    /** In a chroot whose root directory is no mount, the kernel refuses them to root, too. */
    static void assumeMountNamespaces() throws Exception {
        Assumptions.assumeTrue(
                CCompiler.status(List.of("unshare", "-m", "true")) == 0, "unshare -m is refused: no mount namespaces");
    }

    /** Has a /tmp of its own, which hides a checkout in /tmp. Its root is root here, too. */
    private static WaitingJvm contained() {
        return new WaitingJvm(
                CommandLineTool.RUNTIME,
                List.of("unshare", "-m", "sh", "-c", "mount -t tmpfs tmpfs /tmp && exec \"$@\"", "sh"),
                List.of(classes),
                "-XX:-UsePerfData");
    }

    private static ChildResult attach(WaitingJvm jvm, String... options) {
        return CommandLineTool.run(
                agent,
                options.length == 0
                        ? new String[] {"attach", jvm.pid()}
                        : new String[] {"attach", options[0], jvm.pid()});
    }

    private static Path socketOf(WaitingJvm jvm) {
        return Path.of("/tmp/.java_pid" + jvm.pid());
    }

    private static void ownedByNobody(Path file) throws IOException, InterruptedException {
        assertThat(CCompiler.status(List.of("chown", "-h", Integer.toString(NOBODY), file.toString())))
                .as("chown")
                .isZero();
    }

    /** Both sides see the library there, because the container has a /tmp of its own. */
    static final class OutsideOfTmp implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(Path.of("/var/tmp"), "threadclock-it");
        }
    }
}
