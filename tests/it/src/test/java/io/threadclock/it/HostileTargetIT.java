// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.MappingProbe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Root examines processes that belong to user nobody, or use files of that user. None of them gets any of root's
 * rights.
 */
class HostileTargetIT {
    private static final String NOBODY = "65534";
    private static final List<String> AS_NOBODY = ForeignJvmIT.as(NOBODY);
    private static final int MACHINE = 18; // in the header of a program
    private static final String SECRET = "THREADCLOCK_IT_SECRET";

    /** Prints what a user can see of that user's processes whose program is $1. */
    private static final String NOSY =
            """
            for process in /proc/[0-9]*; do
                tr '\\0' ' ' 2>/dev/null <"$process/cmdline" | grep -q -- "^[^ ]*$1 " || continue
                tr '\\0' '\\n' 2>/dev/null <"$process/environ" | sed 's/^/agent: environ /'
                sed 's/^[0-9]* ([^)]*) [A-Z] [0-9]* [0-9]* [0-9]* \\(-*[0-9]*\\) .*/agent: terminal \\1/' "$process/stat"
                ls "$process/fd" "$process/root/" 2>/dev/null | sed 's/^/agent: reaches /'
                sed -n 's/^\\(CapBnd\\|CapPrm\\|NoNewPrivs\\|Uid\\):[[:space:]]*/agent: \\1 /p' "$process/status"
            done >&2
            """;

    @TempDir(factory = ForeignJvmIT.OpenToAll.class)
    static Path directory;

    private static Path nosy;

    /** A file that is left behind if anybody loads or runs a file of user nobody. */
    private Path sign;

    /** A folder of user nobody. */
    private Path nobodys;

    @BeforeAll
    static void writeTheScript() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                CCompiler.status(List.of("test", "-w", "/proc/sys/kernel/hostname")) == 0, "this is not root");
        CCompiler.status(List.of("chmod", "a+rx", directory.toString()));
        nosy = Files.writeString(directory.resolve("nosy.sh"), NOSY);
    }

    @BeforeEach
    void createFolder() throws IOException {
        nobodys = Files.createTempDirectory(directory, "nobodys");
        sign = directory.resolve(nobodys.getFileName() + ".sign");
    }

    @Tag("long")
    @Test
    void aProgramBesideAFileOfAnotherUserThatIsMappedIsNotRun() throws Exception {
        Path libjvm = Files.writeString(
                Files.createDirectories(nobodys.resolve("lib/server")).resolve("libjvm.so"), "data");
        program(nobodys.resolve("bin/java"), "touch " + sign);
        giveToNobody();
        try (WaitingJvm jvm = mapping(libjvm)) {
            ChildResult result = CommandLineTool.run(CopyOfLibrary.path().normalize(), "doctor", jvm.pid());
            assertThat(sign).as("left behind by the program of user nobody").doesNotExist();
            assertThat(result.stdout()).contains("user time its JDK's own: ");
        }
    }

    @Tag("long")
    @Test
    void aLibraryOfAnotherUserThatIsMappedIsNotLoaded() throws Exception {
        Path own = StubAgent.compiledIn(Files.createDirectories(directory.resolve("own")))
                .toRealPath();
        Path stranger = stranger();
        try (WaitingJvm jvm = mapping(stranger)) {
            CommandLineTool.done(own, "attach", jvm.pid());
            CommandLineTool.done(own, "detach", jvm.pid());
            assertThat(sign).as("left behind by the library of user nobody").doesNotExist();
            assertThat(jvm.asked()).containsExactly("", "detach");
        }
    }

    /** It need not be named: `top` without a pid looks for JVMs in all processes. */
    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"watch", "qemu-aarch64"})
    void aStrangersFileThatIsMappedAsLibjvmIsNotOpened(String program) throws Exception {
        Path watch = compiled("watch.c", nobodys.resolve(program));
        Path libjvm = ofAnotherMachine(nobodys.resolve("libjvm.so"));
        giveToNobody();
        try (Watcher watcher = new Watcher(AS_NOBODY, watch, libjvm, nobodys.resolve("opened"))) {
            CommandLineTool.run(Program.LIBRARY.path(), "top");
            for (String command : List.of("attach", "detach", "doctor")) {
                CommandLineTool.run(Program.LIBRARY.path(), command, "--timeout=1", watcher.pid());
            }
            watcher.assertThatNobodyHasOpenedIt();
        }
    }

    @Test
    void aStrangersFileOfAnotherMachineThatAJvmHasMappedIsNoReasonToRefuse() throws Exception {
        Path library = ofAnotherMachine(nobodys.resolve("libthreadclock-0.so"));
        giveToNobody();
        try (WaitingJvm jvm = mapping(library)) {
            assertThatCommandsWork(jvm);
        }
    }

    @Test
    void aLinkOfAContainerInThePlaceOfOurLibraryLeadsToNoFileOfOurs() throws Exception {
        HostileLinksIT.assumeMountNamespaces();
        Path own = Files.copy(
                        Program.LIBRARY.path(),
                        Files.createDirectory(directory.resolve("installed")).resolve("libthreadclock.so"))
                .toRealPath();
        Path ours = Files.copy(own, directory.resolve("ours"));
        Path watch = compiled("watch.c", directory.resolve("watch"));
        String script = "mount -t tmpfs tmpfs " + own.getParent() + " && ln -s " + ours + " " + own + " && exec \"$@\"";
        try (Watcher watcher = new Watcher(List.of(), watch, ours, sign);
                WaitingJvm jvm = new WaitingJvm(
                        CommandLineTool.RUNTIME,
                        List.of("unshare", "-m", "sh", "-c", script, "sh"),
                        List.of(classes()))) {
            assertThat(CommandLineTool.run(own, "attach", jvm.pid()).stderr())
                    .contains("it uses a copy of the library, its /tmp/libthreadclock-");
            watcher.assertThatNobodyHasOpenedIt();
        }
    }

    @Test
    @Tag("server")
    void aProcessThatEndsWhileItIsLookedAtIsSaidToHaveEnded() throws Exception {
        Path helper = nobodys.resolve("threadclock-helper");
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            program(helper, "kill -9 " + jvm.pid() + "; exit 1");
            List<String> starter = List.of("env", "THREADCLOCK_HELPER=" + helper);
            ChildResult result = CommandLineTool.runBy(starter, List.of(), Program.LIBRARY.path(), "doctor", jvm.pid());
            assertThat(CommandLineTool.refusal(result)).contains("it ended meanwhile");
        }
    }

    private static Path compiled(String source, Path program) throws IOException, InterruptedException {
        CCompiler.run(List.of("-O1", "-o", program.toString(), "src/test/c/" + source));
        return program;
    }

    private static Path ofAnotherMachine(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(Program.LIBRARY.path());
        bytes[MACHINE]++;
        return Files.write(file, bytes);
    }

    /** Knows of each time that a file is opened, by whatever name. */
    private static final class Watcher implements AutoCloseable {
        private final Process process;
        private final Path sign;

        Watcher(List<String> starter, Path watch, Path file, Path sign) throws IOException {
            List<String> command = new ArrayList<>(starter);
            command.addAll(List.of(watch.toString(), file.toString(), sign.toString()));
            this.sign = sign;
            process = new ProcessBuilder(command).start();
            assertThat(process.inputReader().readLine()).isEqualTo("ready");
        }

        String pid() {
            return Long.toString(process.pid());
        }

        void assertThatNobodyHasOpenedIt() {
            assertThat(process.isAlive()).as("it watches").isTrue();
            assertThat(sign).as("left behind when the file was opened").doesNotExist();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** Its name is free once an upgrade has removed the agent, or the program its copy of the jar's. */
    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"agent", "jar"})
    void aStrangersFileInThePlaceOfTheLoadedLibraryIsNeitherOpenedNorLoaded(String from) throws Exception {
        Path agent = Files.copy(Program.LIBRARY.path(), nobodys.resolve("libthreadclock.so"));
        String option = from.equals("agent") ? "-agentpath:" + agent : "-D" + MappingProbe.CLOCK + "=true";
        try (WaitingJvm jvm =
                new WaitingJvm(CommandLineTool.RUNTIME, MappingProbe.class, option, "-Djava.io.tmpdir=" + directory)) {
            Path loaded = loadedIn(jvm);
            Files.createDirectories(loaded.getParent());
            Files.deleteIfExists(loaded);
            assertThat(CCompiler.status(List.of("mkfifo", "-m", "666", loaded.toString())))
                    .isZero();
            assertThatCommandsWork(jvm);
            Files.move(stranger(), loaded, StandardCopyOption.REPLACE_EXISTING);
            assertThatCommandsWork(jvm);
            assertThat(sign).as("left behind by the library of user nobody").doesNotExist();
        }
    }

    private static Path loadedIn(WaitingJvm jvm) throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc", jvm.pid(), "maps"))) {
            return maps.filter(line -> line.contains(" r-xp ") && line.contains("/libthreadclock.so"))
                    .map(line -> Path.of(line.substring(line.indexOf('/')).replace(" (deleted)", "")))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void assertThatCommandsWork(WaitingJvm jvm) {
        for (String command : List.of("attach", "detach")) {
            CommandLineTool.done(Program.LIBRARY.path(), command, jvm.pid());
        }
    }

    @Test
    void theLibraryInAJavaProgramIsNotTakenFromAFileThatIsMapped() throws Exception {
        try (WaitingJvm jvm = mapping(stranger(), "-D" + MappingProbe.CLOCK + "=true")) {
            assertThat(sign).as("left behind by the library of user nobody").doesNotExist();
            assertThat(jvm.end().exitStatus()).isEqualTo(7);
        }
    }

    @Test
    void whatAsksAJvmAsItsUserHasNothingOfRoots() throws Exception {
        assumeThatNobodyRuns(CommandLineTool.RUNTIME);
        Path agent = StubAgent.compiledIn(
                Files.createDirectories(nobodys.resolve("agent")), "-DCOMMAND=\"sh " + nosy + " threadclock-helper\"");
        CCompiler.status(List.of("chmod", "-R", "a+rX", directory.toString()));
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME, AS_NOBODY, List.of(classes()))) {
            ChildResult result =
                    CommandLineTool.runBy(onATerminalWithASecret(), List.of(), agent.toRealPath(), "attach", jvm.pid());
            CommandLineTool.assertDone(result);
            assertThatNothingIsLent(jvm.asked());
        }
    }

    /** The kernel then lets users trace programs that have become theirs. */
    @Tag("long")
    @Test
    void norHasItWhereTheMachineDumpsProgramsThatHaveChangedTheirUser() throws Exception {
        Path dumps = Path.of("/proc/sys/fs/suid_dumpable");
        String before = Files.readString(dumps);
        try {
            Files.writeString(dumps, "1");
            whatAsksAJvmAsItsUserHasNothingOfRoots();
        } finally {
            Files.writeString(dumps, before);
        }
    }

    @Test
    void noProgramOfItsJdkIsRun() throws Exception {
        assertThatItsJavaIsNotRun(jdkIn(nobodys), List.of());
    }

    @Test
    @Tag("server")
    void norThatOfAnotherUsers() throws Exception {
        assumeThatNobodyRuns(CommandLineTool.RUNTIME);
        assertThatItsJavaIsNotRun(jdkOfNobody(), AS_NOBODY);
    }

    /** Root of a container is user 0 here, too, and a volume has the same path on both sides. */
    @Test
    @Tag("server")
    void norThatOfAContainerOutsideOfItThoughItLiesOnAVolume() throws Exception {
        HostileLinksIT.assumeMountNamespaces();
        Path jdk = jdkIn(nobodys);
        CCompiler.status(List.of("chown", "-hR", "0:0", nobodys.toString()));
        assertThatItsJavaIsNotRun(jdk, inAContainer());
    }

    private void assertThatItsJavaIsNotRun(Path jdk, List<String> starter) throws Exception {
        try (WaitingJvm jvm =
                new WaitingJvm(new Jdk(jdk, CommandLineTool.RUNTIME.version(), ""), starter, List.of(classes()))) {
            Files.delete(jdk.resolve("bin/java"));
            program(jdk.resolve("bin/java"), "touch " + nobodys + "/seen " + sign);
            CCompiler.status(List.of(
                    "chown", "--reference=" + jdk, jdk.resolve("bin/java").toString()));
            ChildResult result = CommandLineTool.run(Program.LIBRARY.path(), "doctor", jvm.pid());
            assertThat(result.stdout()).contains("user time its JDK's own: ");
            assertThat(nobodys.resolve("seen")).as("left behind by its java").doesNotExist();
            assertThat(sign).as("left behind by its java").doesNotExist();
        }
    }

    private static List<String> inAContainer() {
        String script = "root=" + directory + "/root; mkdir -p $root; mount -t tmpfs tmpfs $root; for name in /*; do"
                + " if [ -L $name ]; then cp -P $name $root/; elif [ -d $name ] && [ $name != /tmp ]; then mkdir $root$name; mount --rbind $name $root$name; fi; done;"
                + " mkdir -p $root" + directory + "; mount --bind " + directory + " $root" + directory
                + "; exec chroot $root \"$@\"";
        return List.of("unshare", "-m", "sh", "-c", script, "sh");
    }

    private static void assertThatNothingIsLent(List<String> seen) {
        assertThat(seen)
                .as("what user nobody sees")
                .contains(
                        "Uid " + String.join("\t", Collections.nCopies(4, NOBODY)),
                        "terminal 0",
                        "NoNewPrivs 1",
                        "CapPrm 0000000000000000",
                        "CapBnd 0000000000000000")
                .noneMatch(line -> line.startsWith("environ ") || line.startsWith("reaches "));
    }

    private WaitingJvm mapping(Path file, String... options) {
        List<String> all = new ArrayList<>(List.of("-D" + MappingProbe.FILE + "=" + file));
        all.addAll(List.of(options));
        return new WaitingJvm(CommandLineTool.RUNTIME, MappingProbe.class, all.toArray(String[]::new));
    }

    /** A library that leaves the sign behind when it is loaded. */
    private Path stranger() throws IOException, InterruptedException {
        Path library = nobodys.resolve("libthreadclock-0.so");
        CCompiler.run(List.of(
                "-O1",
                "-shared",
                "-fPIC",
                "-DSIGN=\"" + sign + "\"",
                "-DPROTOCOL=\"" + protocol() + "\"",
                "-o",
                library.toString(),
                "src/test/c/stranger.c"));
        giveToNobody();
        return library;
    }

    /** The library's own: a stranger with another one would be refused for that alone. */
    private static String protocol() throws IOException {
        String library = Files.readString(Program.LIBRARY.path(), StandardCharsets.ISO_8859_1);
        Matcher protocol = Pattern.compile("io\\.threadclock protocol \\d+").matcher(library);
        assertThat(protocol.find())
                .as("a protocol in %s", Program.LIBRARY.path())
                .isTrue();
        return protocol.group();
    }

    /** A JDK whose programs that user can replace; the rest belongs to the real one. */
    private Path jdkOfNobody() throws IOException, InterruptedException {
        Path jdk = jdkIn(nobodys);
        giveToNobody();
        return jdk;
    }

    private static Path jdkIn(Path folder) throws IOException, InterruptedException {
        Path real = CommandLineTool.RUNTIME.home().toRealPath();
        Path jdk = folder.resolve("jdk");
        assertThat(CCompiler.status(List.of("cp", "-rs", real + "/", jdk.toString())))
                .isZero();
        for (String file : List.of("bin/java", "lib/server/libjvm.so", "lib/libjli.so")) {
            Files.delete(jdk.resolve(file));
            Files.copy(real.resolve(file), jdk.resolve(file));
        }
        return jdk;
    }

    private static void program(Path file, String command) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + command + "\n");
        assertThat(file.toFile().setExecutable(true, false)).isTrue();
    }

    private void giveToNobody() throws IOException, InterruptedException {
        assertThat(CCompiler.status(List.of("chown", "-hR", NOBODY + ":" + NOBODY, nobodys.toString())))
                .isZero();
        assertThat(CCompiler.status(List.of("chmod", "-R", "a+rX", directory.toString())))
                .isZero();
    }

    /** The command is run from root's shell. */
    private static List<String> onATerminalWithASecret() {
        return List.of("env", SECRET + "=of-root", "sh", "-c", "exec script -qefc \"$*\" /dev/null", "sh");
    }

    /** Copies the classes to where that user can read them. */
    private static Path classes() throws IOException, InterruptedException {
        return ForeignJvmIT.classesIn(directory);
    }

    private static void assumeThatNobodyRuns(Jdk jdk) throws Exception {
        ForeignJvmIT.assumeThatItRuns(jdk, AS_NOBODY);
        Assumptions.assumeTrue(
                CCompiler.status(List.of("sh", "-c", "command -v script")) == 0,
                "there is no script(1) to be run on a terminal");
    }
}
