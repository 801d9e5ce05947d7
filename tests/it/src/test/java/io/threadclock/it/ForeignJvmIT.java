// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.EchoProbe;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Tests JVMs of another user, with another root directory, or in another pid namespace. */
class ForeignJvmIT {
    private static final String USER = "65534";
    private static final String OTHER_USER = "65533";
    private static final List<String> AS_USER = as(USER);

    /** A directory of every system, in which a JVM whose root hides ours finds its classes. */
    private static final Path OTHER_PLACE = Path.of("/mnt");

    @TempDir(factory = OpenToAll.class)
    static Path directory;

    private static Path agent;
    private static Path classes;

    @BeforeAll
    static void compileTheAgent() throws IOException, InterruptedException {
        agent = StubAgent.compiledIn(directory).toRealPath();
        classes = classesIn(directory);
    }

    /** Copies the classes of the target JVM to where everybody can read them. */
    static Path classesIn(Path directory) throws IOException, InterruptedException {
        Path classes = directory.resolve("classes");
        Path file = classes.resolve(EchoProbe.class.getName().replace('.', '/') + ".class");
        Files.createDirectories(file.getParent());
        try (InputStream bytes = EchoProbe.class
                .getClassLoader()
                .getResourceAsStream(classes.relativize(file).toString())) {
            Files.copy(bytes, file, StandardCopyOption.REPLACE_EXISTING);
        }
        CCompiler.status(List.of("chmod", "-R", "a+rX", directory.toString()));
        return classes;
    }

    @Tag("long")
    @OnEachJdk
    void rootAttachesToTheJvmOfAnotherUser(Jdk jdk) throws Exception {
        assumeThatItRuns(jdk, AS_USER);
        try (WaitingJvm jvm = jvm(jdk, AS_USER)) {
            CommandLineTool.done(agent, "attach", jvm.pid());
            CommandLineTool.done(agent, "detach", jvm.pid());
            assertThat(jvm.asked()).containsExactly("", "detach");
        }
    }

    /**
     * As systemd starts one that may listen on port 80, with a /tmp of its own. Its user may not see its root
     * directory.
     */
    @Test
    void rootAttachesToAJvmThatIsHiddenFromItsUserByACapability() throws Exception {
        String capable = " --inh-caps=+net_bind_service --ambient-caps=+net_bind_service";
        List<String> service = inNamespaces(
                bind() + " && mount -t tmpfs tmpfs /tmp && exec " + String.join(" ", AS_USER) + capable + " \"$@\"");
        assumeThatItRuns(CommandLineTool.RUNTIME, service);
        List<Path> tool = copied(CommandLineTool.classPath());
        try (WaitingJvm jvm = jvm(CommandLineTool.RUNTIME, service)) {
            assertThat(CommandLineTool.refusal(CommandLineTool.runBy(AS_USER, tool, agent, "attach", jvm.pid())))
                    .contains("because it has capabilities that this command has not", "root (sudo)");
            CommandLineTool.done(agent, "attach", jvm.pid());
            assertThat(jvm.asked()).containsExactly("");
        }
    }

    @Test
    @Tag("server")
    void doctorLeavesTheJvmOfAnotherUserAlone() throws Exception {
        assumeThatItRuns(CommandLineTool.RUNTIME, AS_USER);
        try (WaitingJvm jvm = jvm(CommandLineTool.RUNTIME, AS_USER)) {
            ChildResult result = CommandLineTool.run(CopyOfLibrary.path().normalize(), "doctor", jvm.pid());
            assertThat(result.stdout()).contains("user " + USER);
            assertThat(jvm.asked()).isEmpty();
        }
    }

    @OnEachJdk
    @Tag("server")
    void aProcessThatCannotEnterTheDirectoryGetsACopy(Jdk jdk) throws Exception {
        List<String> hidden =
                inNamespaces(bind() + " && mount -t tmpfs tmpfs /tmp && exec " + String.join(" ", AS_USER) + " \"$@\"");
        assumeThatItRuns(jdk, hidden);
        try (WaitingJvm jvm = jvm(jdk, hidden)) {
            assertThat(command("attach", jvm).stderr())
                    .contains("it uses a copy of the library, its /tmp/libthreadclock-");
            CommandLineTool.done(agent, "attach", jvm.pid());
            CommandLineTool.done(agent, "detach", jvm.pid());
            assertThat(leftBehind(jvm))
                    .as("files in its /tmp")
                    .hasSize(2)
                    .anyMatch(name -> name.startsWith("libthread"));
            assertThat(jvm.asked()).containsExactly("", "", "detach");
        }
    }

    /** As in a rootless container: the host's root has no number in the file systems that it has mounted. */
    @Test
    void aProcessInAUserNamespaceGetsACopyThatBelongsToRootThere() throws Exception {
        String inside = "until grep -q . /proc/self/gid_map; do sleep 0.01; done;"
                + " exec setpriv --reuid=0 --regid=0 --clear-groups sh -c '" + bind()
                + " && mount -t tmpfs tmpfs /tmp && exec \"$@\"' sh \"$@\"";
        String maps =
                "{ until [ \"$(readlink /proc/$$/ns/user)\" != \"$(readlink /proc/self/ns/user)\" ]; do sleep 0.01;"
                        + " done; for map in uid_map gid_map; do echo 0 100000 65536 >/proc/$$/$map; done; } >&2 & ";
        List<String> contained =
                List.of("sh", "-c", maps + "exec unshare -U -m --keep-caps sh -c \"$0\" sh \"$@\"", inside);
        assumeThatItRuns(CommandLineTool.RUNTIME, contained);
        try (WaitingJvm jvm = jvm(CommandLineTool.RUNTIME, contained)) {
            assertThat(command("attach", jvm).stderr())
                    .contains("it uses a copy of the library, its /tmp/libthreadclock-");
            CommandLineTool.done(agent, "detach", jvm.pid());
            assertThat(leftBehind(jvm)).as("files in its /tmp").hasSize(2);
        }
    }

    /** It may not change its groups there, and need not. */
    @Test
    void aJvmInAUserNamespaceOfOneUserIsReachedFromThere() throws Exception {
        List<String> alone = List.of("unshare", "-U", "-r");
        assumeThatItRuns(CommandLineTool.RUNTIME, alone);
        try (WaitingJvm jvm = jvm(CommandLineTool.RUNTIME, alone)) {
            List<String> there = List.of("nsenter", "-U", "--preserve-credentials", "-t", jvm.pid());
            CommandLineTool.assertDone(CommandLineTool.runBy(there, List.of(), agent, "attach", jvm.pid()));
            assertThat(jvm.asked()).containsExactly("");
        }
    }

    @Tag("long")
    @OnEachJdk
    void aProcessInAChrootGetsACopy(Jdk jdk) throws Exception {
        Path root = Files.createDirectories(directory.resolve("root"));
        List<String> confined = inNamespaces(bind() + " && mount --rbind / " + root + " && mount -t tmpfs tmpfs " + root
                + "/tmp && exec chroot " + root + " \"$@\"");
        assumeThatItRuns(jdk, confined);
        try (WaitingJvm jvm = jvm(jdk, confined)) {
            assertThat(command("attach", jvm).stderr())
                    .contains("it uses a copy of the library, its /tmp/libthreadclock-");
            CommandLineTool.done(agent, "detach", jvm.pid());
            assertThat(jvm.asked()).containsExactly("", "detach");
        }
    }

    @OnEachJdk
    void aProcessThatCanExecuteNoTemporaryFileIsRefused(Jdk jdk) throws Exception {
        List<String> barred = inNamespaces(bind() + "; for place in /tmp /var/tmp /dev/shm; do"
                + " mount -t tmpfs -o noexec tmpfs $place; done && exec \"$@\"");
        assumeThatItRuns(jdk, barred);
        try (WaitingJvm jvm = jvm(jdk, barred)) {
            assertThat(CommandLineTool.refusal(command("attach", jvm)))
                    .contains("it cannot read " + agent, "/tmp: mounted noexec; /var/tmp: mounted noexec", "--library");
            assertThat(jvm.asked()).isEmpty();
        }
    }

    @Test
    void anotherUserIsRefusedInOneLine() throws Exception {
        assumeThatItRuns(CommandLineTool.RUNTIME, as(OTHER_USER));
        List<Path> tool = copied(CommandLineTool.classPath());
        try (WaitingJvm jvm = jvm(CommandLineTool.RUNTIME, AS_USER)) {
            ChildResult result = CommandLineTool.runBy(as(OTHER_USER), tool, agent, "attach", jvm.pid());
            assertThat(CommandLineTool.refusal(result))
                    .contains(
                            "it belongs to user " + USER + ", and this is user " + OTHER_USER,
                            "as that user or as root");
        }
    }

    @Test
    @Tag("server")
    void anotherUserMayLookFromOutside() throws Exception {
        assumeThatItRuns(CommandLineTool.RUNTIME, as(OTHER_USER));
        List<Path> tool = copied(CommandLineTool.classPath());
        try (WaitingJvm jvm = jvm(CommandLineTool.RUNTIME, AS_USER)) {
            ChildResult result = CommandLineTool.runBy(
                    as(OTHER_USER), tool, agent, "top", "--no-attach", "-b", "-n", "1", "-d", "0.1", jvm.pid());
            CommandLineTool.assertDone(result);
            assertThat(result.stdout()).contains("source=proc", " VM Thread");
            assertThat(jvm.asked()).isEmpty();
        }
    }

    @Test
    @Tag("server")
    void theJvmOfAnotherPidNamespaceIsNamedByItsStarter() throws Exception {
        assumeThatItRuns(CommandLineTool.RUNTIME, isolated());
        try (WaitingJvm starter = jvm(CommandLineTool.RUNTIME, isolated())) {
            String pid = startedBy(starter);
            assertThat(CommandLineTool.refusal(command("attach", starter))).contains("give its pid, " + pid);
            ChildResult attached = CommandLineTool.done(agent, "attach", pid);
            ChildResult ended = starter.end();
            assertThat(ended.stderr()).as("%s, after %s", ended, attached).contains("agent: \n");
        }
    }

    /** Both have pid 1 inside, and the second one has its socket where the first one's would be. */
    @Test
    @Tag("server")
    void aJvmIsNotMistakenForAnotherOneWithItsPidAndItsTmp() throws Exception {
        assumeThatItRuns(CommandLineTool.RUNTIME, isolated());
        try (WaitingJvm first = jvm(CommandLineTool.RUNTIME, isolated());
                WaitingJvm second = jvm(CommandLineTool.RUNTIME, isolated())) {
            CommandLineTool.done(agent, "attach", startedBy(second));
            assertThat(CommandLineTool.refused(agent, "attach", startedBy(first)))
                    .contains("the JVM cannot be reached, /tmp/.java_pid1 in it is another process's");
            assertThat(second.asked()).as("requests to the second").containsExactly("");
            assertThat(first.asked()).as("requests to the first").isEmpty();
        }
    }

    /** With a /tmp that no other run of these tests has. */
    private static List<String> isolated() throws IOException {
        Path tmp = Files.createDirectories(directory.resolve("tmp"));
        String script = bind() + " && mount --bind " + tmp + " /tmp && exec \"$@\"";
        return List.of("unshare", "-m", "-p", "-f", "--kill-child", "--mount-proc", "sh", "-c", script, "sh");
    }

    private static String startedBy(WaitingJvm starter) {
        return ProcessHandle.of(Long.parseLong(starter.pid()))
                .orElseThrow()
                .children()
                .findFirst()
                .map(child -> Long.toString(child.pid()))
                .orElseThrow();
    }

    private static ChildResult command(String name, WaitingJvm jvm) {
        return CommandLineTool.run(agent, name, jvm.pid());
    }

    private static List<String> leftBehind(WaitingJvm jvm) throws IOException {
        try (var files = Files.list(Path.of("/proc", jvm.pid(), "root/tmp"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static WaitingJvm jvm(Jdk jdk, List<String> starter) {
        return new WaitingJvm(jdk, starter, List.of(classes, OTHER_PLACE), "-XX:-UsePerfData");
    }

    private static String bind() {
        return "mount --bind " + classes + " " + OTHER_PLACE;
    }

    /** Copies files to where every user can read them. */
    private static List<Path> copied(List<Path> entries) throws IOException, InterruptedException {
        List<Path> copies = new ArrayList<>();
        for (Path entry : entries) {
            copies.add(directory.resolve("entry" + copies.size()));
            CCompiler.status(List.of(
                    "cp", "-r", entry.toString(), copies.get(copies.size() - 1).toString()));
        }
        CCompiler.status(List.of("chmod", "-R", "a+rX", directory.toString()));
        return copies;
    }

    static List<String> as(String user) {
        return List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups");
    }

    private static List<String> inNamespaces(String script) {
        return List.of("unshare", "-m", "sh", "-c", script, "sh");
    }

    /** Needs root, and a JDK and classes that this user can read. */
    static void assumeThatItRuns(Jdk jdk, List<String> starter) throws Exception {
        Assumptions.assumeTrue(
                CCompiler.status(List.of("test", "-w", "/proc/sys/kernel/hostname")) == 0, "this is not root");
        List<String> command = new ArrayList<>(starter);
        command.addAll(List.of(jdk.java().toString(), "-version"));
        Assumptions.assumeTrue(CCompiler.status(command) == 0, jdk + " cannot be run by " + String.join(" ", starter));
    }

    /** A directory that every user may enter; java.io.tmpdir may belong to this user only. */
    static final class OpenToAll implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(Path.of("/tmp"), "threadclock-it");
        }
    }
}
