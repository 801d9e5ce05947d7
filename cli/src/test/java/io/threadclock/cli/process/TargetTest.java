// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest extends OverFakeProc {
    private static final String NOBODY = "65534";

    @Test
    void aJvmThatWaitsIsNotRefused() {
        assertThatNoException().isThrownBy(fake.target()::refuseOtherThanHotSpot);
        assertThatNoException().isThrownBy(fake.target()::refuseHarm);
        fake.write("77/cmdline", "java\0-XX:+DisableAttachMechanism\0-XX:-DisableAttachMechanism\0");
        assertThatNoException().isThrownBy(fake.target()::refuseHarm);
        fake.statusWith("5ccf", "5ccb").write("77/root/tmp/.java_pid9", "");
        assertThatNoException().as("one that listens").isThrownBy(fake.target()::refuseHarm);
    }

    @ParameterizedTest
    @CsvSource({
        "Tgid:.77, Tgid: 70, it is a thread of process 70",
        "S .sleeping., Z (zombie), it has ended already",
        "VmSize.*, '', it is a thread of the kernel",
        "S .sleeping., T (stopped), it is stopped",
        "S .sleeping., t (tracing stop), it is stopped",
        "5ccf, 5ccb, does not catch SIGQUIT",
        "Uid:.*, Uid: 54321 0 0 0, the rights of several users"
    })
    void oneInAnotherStateIsRefused(String field, String other, String refusal) {
        fake.statusWith(field, other);
        Documented.refused(
                () -> {
                    fake.target().confirm();
                    fake.target().refuseHarm();
                },
                refusal);
    }

    @ParameterizedTest
    @CsvSource({
        "'libjvm.so\n7f01-7f02 r-xp 00000000 fd:00 1 /lib/libj9vm29.so', r-xp, it is OpenJ9",
        "libjvm.so, r--p, it is no JVM",
        "libc.so, r-xp, 'give its pid, 79.'"
    })
    void whatIsNoHotSpotIsRefused(String library, String permissions, String refusal) {
        fake.write("77/maps", FakeProc.LIBJVM.replace("libjvm.so", library).replace("r-xp", permissions))
                .write("79/maps", FakeProc.LIBJVM)
                .write("79/stat", "79 (java) S 77 1 1\n");
        Documented.refused(fake.target()::refuseOtherThanHotSpot, refusal);
    }

    @ParameterizedTest
    @CsvSource({"/with space/x, true", "/with, false", "/tmp/x, false"})
    void theDeepestAndLatestMountDecidesWhetherFilesMayBeExecuted(Path file, boolean isForbidden) {
        assertThat(fake.target().files().forbidsExecution(file))
                .as("without a table")
                .isFalse();
        fake.write(
                "77/mountinfo",
                """
                23 29 0:21 / / rw,relatime shared:1 - ext4 /dev/vda rw
                24 23 0:22 / /tmp rw,nosuid,noexec - tmpfs tmpfs rw
                27 23 0:25 / /donn\0es rw - tmpfs tmpfs rw
                25 23 0:23 / /with\\040space rw,noexec - tmpfs tmpfs rw
                26 24 0:24 / /tmp rw,nosuid - tmpfs tmpfs rw,noexec
                """);
        assertThat(fake.target().files().forbidsExecution(file)).isEqualTo(isForbidden);
    }

    @ParameterizedTest
    @CsvSource({
        "-agentpath:/opt/libother.so=secret, -agentpath:/opt/libother.so",
        "-agentlib:other=secret, -agentlib:other",
        "-Dagent=other,"
    })
    void anAgentFromTheStartHasPaidForJvmti(String option, String payer) {
        fake.write("77/cmdline", "java\0" + option + "\0-jar\0app.jar\0");
        assertThat(JvmtiPrice.of(fake.target()).payer()).isEqualTo(Optional.ofNullable(payer));
    }

    @Test
    void aMissingProcessIsRefused() {
        assertThat(Documented.refusal(() -> Target.of(fake.proc(), 78)))
                .hasMessageStartingWith("looking at process 78: there is no such process. ");
    }

    /** Its own folder tells little then, and its first thread's number is no thread of it any more. */
    @Test
    void aProcessWhoseFirstThreadHasEndedIsSeenByAnother() throws IOException {
        String living = Files.readString(fake.file("77/status"));
        fake.write("79/status", living.replace("NSpid:\t77\t9", "NStgid:\t77\t9\nNSpid:\t79\t11"))
                .write("79/stat", "79 (VM Thread) S 1 77 77 0 -1 0 1 2 3 4 5 6 7 8 20 0 20 0 4712 100 200\n")
                .write("79/maps", FakeProc.LIBJVM)
                .write("77/stat", "77 (java) Z 1 77 77 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 20 0 4711 0 0\n")
                .write("77/maps", "")
                .statusWith("S \\(sleeping\\)", "Z (zombie)");
        for (String thread : List.of("77", "78", "79")) {
            fake.write(
                    "77/task/" + thread + "/status",
                    Files.readString(fake.file((thread.equals("79") ? 79 : 77) + "/status")));
        }
        fake.write("77/task/79/comm", "VM Thread\n");
        assertThat(fake.target().kind()).isEqualTo(JvmKind.HOTSPOT);
        assertThat(fake.target().pid()).isEqualTo(77);
        assertThat(fake.target().socketName()).isEqualTo(".java_pid9");
        assertThat(JvmList.of(fake.proc(), false, line -> {}).entries())
                .extracting(JvmList.Entry::pid)
                .contains(77);
    }

    @Test
    void theProcessOfAnotherUserIsRefusedUnlessThisIsRoot() {
        fake.write("self/status", "Uid:\t5\t5\t5\t5\nGid:\t5\t5\t5\t5\n");
        Documented.refused(
                fake::target,
                "it belongs to user " + FakeProc.USER + ", and this is user 5",
                "sudo",
                "threadclock top --no-attach 77");
    }

    @Test
    void thatOfOurContainerIsReachedInItsUserNamespace() throws IOException {
        fake.write("self/status", "Uid:\t5\t5\t5\t5\nGid:\t5\t5\t5\t5\n");
        fake.userNamespace("self", "user:[1]").userNamespace("77", "user:[2]");
        Documented.refused(
                fake::target, "of another user namespace, and this is user 5. Run this under podman unshare");
    }

    @Test
    void ofOneInAUserNamespaceThatIsNotBelowOursItIsSaid() throws IOException {
        fake.shareUser().write("77/maps", "").write("77/uid_map", "0 4294967295 1\n");
        Documented.refused(fake.target()::refuseHidden, "in a user namespace that is not below that of this command");
    }

    @Test
    void theProcessOfAnotherUserMayBeLookedAtFromOutside() {
        fake.write("self/status", "Uid:\t5\t5\t5\t5\nGid:\t5\t5\t5\t5\n").write("77/maps", "");
        assertThat(Target.outside(fake.proc(), FakeProc.PID).showsItsMemory()).isFalse();
    }

    @Test
    void oneWhoseMemoryIsHiddenIsNotSaidToBeNoJvm() {
        fake.write("77/maps", "");
        for (ThrowingCallable each :
                List.<ThrowingCallable>of(fake.target()::refuseHidden, fake.target()::refuseOtherThanHotSpot)) {
            assertThat(Documented.refusal(each))
                    .hasMessageContaining(
                            "does not show what it has loaded, because this command has no CAP_SYS_PTRACE")
                    .hasMessageContaining("--cap-add=SYS_PTRACE")
                    .hasMessageEndingWith("Or run this as user " + FakeProc.USER + ".");
        }
    }

    @Test
    void oneThatIsHiddenFromItsUserByItsCapabilitiesIsSaidToBe() throws IOException {
        fake.shareUser()
                .statusWith("CapEff.*", "CapEff:\t0000000000000400\nCapPrm:\t0000000000000400")
                .write("77/maps", "");
        assertThat(Documented.refusal(fake.target()::refuseHidden))
                .hasMessageContaining("because it has capabilities that this command has not")
                .hasMessageEndingWith("Run this as root (sudo).");
    }

    @Test
    void oneWhoseRootIsHiddenIsNotAsked() throws IOException {
        Files.move(fake.file("77/root"), fake.file("hidden"));
        Documented.refused(fake.target()::refuseHarm, "no CAP_SYS_PTRACE");
        fake.write("self/status", "CapEff:\t0000000000080000\nUid:\t0 0 0 0\nGid:\t0 0 0 0\n");
        Documented.refused(fake.target()::refuseHarm, "though this command has CAP_SYS_PTRACE");
    }

    /** Nothing is opened: another user may have put its program and its libjvm.so there. */
    @Test
    void onlyOneThatAnEmulatorRunsHasCodeThatIsMappedAsData() throws IOException {
        fake.write("77/maps", FakeProc.LIBJVM.replace("r-xp", "r--p"));
        assertThat(fake.runBy("aarch64").target().kind()).isEqualTo(JvmKind.NONE);
        Files.delete(fake.file("77/exe"));
        assertThat(fake.runBy("qemu-aarch64").target().kind()).isEqualTo(JvmKind.HOTSPOT);
    }

    /** In the second version, a group is also frozen by one above it, and each says first that it is to be frozen. */
    @ParameterizedTest
    @CsvSource({
        "0::/shop/till, shop/till/cgroup.events, frozen 1, shop/till",
        "0::/shop/till, shop/cgroup.freeze, 1, shop",
        "6:freezer:/till, freezer/till/freezer.state, FROZEN, freezer/till",
        "6:freezer:/till, freezer/till/freezer.state, FREEZING, freezer/till"
    })
    void aFrozenProcessIsNotAsked(String group, String file, String text, String frozen) {
        fake = new FakeProc(mount.resolve("proc"));
        fake.write("77/cgroup", group + "\n")
                .write(
                        "self/mountinfo",
                        "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
                                + "31 23 0:27 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n");
        FakeProc.write(mount.resolve("sys/fs/cgroup/shop/till/cgroup.events"), "populated 1\nfrozen 0\n");
        FakeProc.write(mount.resolve("sys/fs/cgroup/freezer/till/freezer.state"), "THAWED\n");
        assertThatNoException().isThrownBy(fake.target()::refuseHarm);
        FakeProc.write(mount.resolve("sys/fs/cgroup").resolve(file), text + "\n");
        Documented.refused(
                fake.target()::refuseHarm, "it is frozen, by its control group /sys/fs/cgroup/" + frozen + ". ");
    }

    @ParameterizedTest
    @CsvSource({
        "sys/fs/cgroup/shop/till/pids.max, 9, 'pids.max of its control group /sys/fs/cgroup/shop/till is 9, and 6 of it is used'",
        "sys/fs/cgroup/shop/pids.max, 10, 'pids.max of its control group /sys/fs/cgroup/shop is 10, and 7 of it is used'",
        "proc/77/limits, Max processes   16  16   processes, 'RLIMIT_NPROC (ulimit -u) is 16, and 13 of it is used'",
        "proc/77/limits, Max address space 9000000 9000000 bytes, 'RLIMIT_AS in KiB (ulimit -v) is 8789, and 123 of it is used'",
        "proc/77/limits, Max data size  9000000 9000000 bytes, 'RLIMIT_DATA in KiB (ulimit -d) is 8789, and 45 of it is used'",
        "proc/sys/vm/max_map_count, 16, 'vm.max_map_count is 16, and 1 of it is used'",
        "proc/sys/kernel/threads-max, 80, 'kernel.threads-max is 80, and 77 of it is used'",
        "proc/sys/kernel/pid_max, 80, 'kernel.pid_max is 80, and 77 of it is used'",
        "proc/sys/vm/overcommit_memory, 2, 'CommitLimit of /proc/meminfo in KiB (vm.overcommit_memory=2) is 900, and 800 of it is used'"
    })
    void aJvmThatHasNoRoomForItsListenerIsNotAsked(String file, String text, String limit) throws IOException {
        roomy();
        assertThatNoException().isThrownBy(fake.target()::refuseHarm);
        FakeProc.write(mount.resolve(file), text + "\n");
        Documented.refused(
                fake.target()::refuseHarm,
                "it would end, having no room for the thread that listens: " + limit + ". ",
                "threadclock top --no-attach 77");
        fake.write("77/root/tmp/.java_pid9", "");
        assertThatNoException().as("one that listens").isThrownBy(() -> fake.target()
                .refuseHarm());
    }

    /** Limits that are none, or far away, and the figures that they limit. */
    private void roomy() {
        fake = new FakeProc(mount.resolve("proc"));
        fake.statusWith("VmSize.*", "VmSize:\t 123 kB\nVmData:\t 45 kB\nThreads:\t6")
                .write("78/status", "Uid:\t? ? ? ?\nGid:\t0\nThreads:\t7\n".replace("?", "" + FakeProc.USER))
                .write("79/status", "Uid:\t3 3 3 3\nGid:\t0\nThreads:\t7\n")
                .write("77/limits", "Max processes  17 17 processes\nMax data size  unlimited unlimited bytes\n")
                .write("77/cgroup", "0::/shop/till\n")
                .write("self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
                .write("meminfo", "CommitLimit:     900 kB\nCommitted_AS:    800 kB\n")
                .write("loadavg", "0.20 0.18 0.12 1/77 11206\n");
        for (String group : List.of("sys/fs/cgroup/shop/", "sys/fs/cgroup/shop/till/")) {
            FakeProc.write(mount.resolve(group + "pids.max"), "max\n");
            FakeProc.write(mount.resolve(group + "pids.current"), group.contains("till") ? "6\n" : "7\n");
        }
    }

    @Test
    void theLimitOfAContainerThatIsNotSeenFromHereIsReadInside() {
        fake.write("77/cgroup", "0::/../till\n").write("77/root/sys/fs/cgroup/pids.current", "30\n");
        assertThatNoException().isThrownBy(fake.target()::refuseHarm);
        fake.write("77/root/sys/fs/cgroup/pids.max", "33\n");
        Documented.refused(fake.target()::refuseHarm, "its control group /sys/fs/cgroup (inside) is 33, and 30");
    }

    @Test
    void whoMayPassTheLimitOfThreadsIsNotHeldToIt() throws IOException {
        roomy();
        fake.statusWith("Uid:.*", "Uid:\t0 0 0 0\nThreads:\t99");
        Documented.refused(fake.target()::refuseHarm, "is 17, and 99");
        Files.createDirectories(fake.file("77/ns"));
        Files.createSymbolicLink(fake.file("77/ns/user"), Path.of("user:[4026531837]"));
        assertThatNoException().isThrownBy(fake.target()::refuseHarm);
    }

    @ParameterizedTest
    @CsvSource({
        "77/cmdline, java|-XX:AltTempDir=/gone|-XX:AltTempDir=/var/alt/|Main",
        "77/environ, JDK_JAVA_OPTIONS=-XX:AltTempDir=/var/alt",
        "77/maps, 7f00-7f08 rw-s 00000000 08:01 12     /var/alt/hsperfdata_x/9"
    })
    void aJvmIsAskedInTheFolderThatItWasToldToUse(String file, String text) throws IOException {
        fake.statusWith("5ccf", "5ccb").write("77/root/var/alt/.java_pid9", "").write(file, text.replace('|', '\0'));
        assertThatNoException().isThrownBy(fake.target()::refuseHarm);
        assertThat(fake.target().tmp()).isEqualTo(Path.of("/var/alt"));
    }

    /** In the locale C, é is no more a part of a path than NUL is. */
    @ParameterizedTest
    @CsvSource({
        "77/maps, 7f00-7f08 rw-s 00000000 08:01 12     /caf\0/hsperfdata_x/9",
        "77/cgroup, 0::/caf\0",
        "self/mountinfo, 30 23 0:26 / /caf\0 rw - cgroup2 cgroup2 rw"
    })
    void wordsThatCanBeNoPathLeadNowhere(String file, String text) {
        fake = new FakeProc(mount.resolve("proc"))
                .write("self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
                .write("77/cgroup", "0::/\n")
                .write(file, text);
        assertThat(fake.target().frozenBy()).isEmpty();
        assertThat(fake.target().tmp()).isEqualTo(Path.of("/tmp"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"77/cmdline", "77/environ"})
    void attachingIsNotTriedWhereItIsDisabled(String file) {
        fake.write(file, "java\0JAVA_TOOL_OPTIONS=-Xmx1g -XX:+DisableAttachMechanism\0-XX:+DisableAttachMechanism\0");
        Documented.refused(fake.target()::refuseHarm, "attaching is disabled");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/gone", "/link", "/closed", "/tmp/../tmp"})
    void aJvmIsAskedInNoFolderToWhichItsUserHasNoWayOrALinkLeads(String folder) throws IOException {
        fake.write("77/root/closed/empty", "").permissions("77/root/closed", "---------");
        Files.createSymbolicLink(fake.file("77/root/link"), fake.file("77/root/tmp"));
        fake.write("77/cmdline", "java\0-XX:AltTempDir=" + folder + "\0");
        Documented.refused(
                fake.target()::refuseHarm, "its " + folder + " is missing, behind a link, or closed to its user");
    }

    @Test
    void aRelativeFolderIsNoneAndOneOfAVeryLongPathCannotHaveASocket() {
        fake.write("77/cmdline", "java\0-XX:AltTempDir=tmp\0");
        assertThatNoException().isThrownBy(fake.target()::refuseHarm);
        String folder = "/" + "x".repeat(91);
        fake.write("77/root" + folder + "/empty", "").write("77/cmdline", "java\0-XX:AltTempDir=" + folder + "\0");
        assertThatNoException().isThrownBy(fake.target()::refuseHarm);
        fake.write("77/root" + folder + "x/empty", "").write("77/cmdline", "java\0-XX:AltTempDir=" + folder + "x\0");
        Documented.refused(fake.target()::refuseHarm, "is too long");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Uid:\t0\t0\t0\t0",
                "Uid:\t54321\t0\t0\t0",
                "Uid:\t54321\t54321\t0\t54321",
                "Uid:\t54321\t54321\t54321\t0"
            })
    void oneThatHasBecomeAnotherUsersIsRefused(String uids) {
        Target target = fake.target();
        assertThatNoException().isThrownBy(target::confirm);
        fake.statusWith("Uid:.*", uids);
        Documented.refused(target::confirm, "it has become another program or another user's");
    }

    @Test
    void oneThatHasBecomeAnotherProgramIsRefused() {
        fake.write("77/exe", "java");
        Target target = fake.target();
        fake.write("77/other", "su").rename("77/other", "77/exe");
        Documented.refused(target::confirm, "it has become another program");
    }

    @Test
    void aProcessThatHasGotThePidAfterItIsNotIt() {
        Target target = fake.target();
        assertThat(target.hasEnded()).isFalse();
        fake.write("77/stat", "77 (java) S 1 77 77 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 20 0 4712 100 200\n");
        assertThat(target.hasEnded()).isTrue();
        Documented.refused(target::again, "it ended meanwhile");
    }

    /** A real process of user nobody, which becomes another user's while root examines it. */
    @Test
    void oneThatBecomesRootsByASetuidProgramIsRefused(@TempDir(factory = ForEverybody.class) Path directory)
            throws Exception {
        Process process = nobodys(setuidSleep(directory));
        try {
            Target target = Target.outside(Proc.SYSTEM, (int) process.pid());
            assertThatNoException().isThrownBy(target::confirm);
            assertThat(target.status().uid()).isEqualTo(Integer.parseInt(NOBODY));
            process.getOutputStream().close();
            while (process.isAlive() && target.files().status().orElseThrow().uid() != 0) {
                Thread.sleep(1);
            }
            assertThat(target.files().status().orElseThrow().uid())
                    .as("its user now")
                    .isZero();
            Documented.refused(target::confirm, "another user's while it was looked at");
            Target anew = target.again();
            Documented.refused(anew::confirm, "the rights of several users");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Starts a process that waits for the end of its input, and then becomes that program. */
    private static Process nobodys(Path program) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "setpriv",
                        "--reuid=" + NOBODY,
                        "--regid=" + NOBODY,
                        "--clear-groups",
                        "sh",
                        "-c",
                        "echo; read x; exec " + program + " 600")
                .start();
        Assumptions.assumeTrue(
                process.getInputStream().read() >= 0, "nothing can be run as user nobody: this is not root");
        return process;
    }

    /** The directory for temporary files may be in one that nobody may enter. */
    static final class ForEverybody implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(Path.of("/var/tmp"), "threadclock-");
        }
    }

    private static Path setuidSleep(Path directory) throws IOException, InterruptedException {
        Path sleep = Files.copy(Path.of("/bin/sleep"), directory.resolve("sleep"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        Files.setAttribute(sleep, "unix:mode", 04755);
        boolean isRoots = Integer.valueOf(0).equals(Files.getAttribute(sleep, "unix:uid"));
        Assumptions.assumeTrue(isRoots, "this is not root");
        Process mounted = new ProcessBuilder("findmnt", "-n", "-o", "OPTIONS", "-T", sleep.toString()).start();
        String options = new String(mounted.getInputStream().readAllBytes());
        Assumptions.assumeFalse(options.contains("nosuid"), directory + " is mounted nosuid");
        return sleep;
    }
}
