// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.cli.process.Documented;
import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.process.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeJvmTest {
    private static final long TICK_NS = 4_000_000;

    @TempDir
    Path mount;

    @TempDir
    Path other;

    private FakeProc fake;

    @BeforeEach
    void createJvm() {
        fake = new FakeProc(mount);
    }

    @Test
    void aJdkIsWhereItsLibraryIs() {
        mapped("/opt/lib/jdk/lib/server/libjvm.so");
        assertThat(ProbeJvm.home(fake.target())).hasValue(Path.of("/opt/lib/jdk"));
        mapped("/jdk/jre/lib/amd64/server/libjvm.so");
        assertThat(ProbeJvm.home(fake.target())).as("JDK 8").hasValue(Path.of("/jdk/jre"));
    }

    @Test
    void aJvmWithoutAProgramIsNotTried() throws IOException {
        mapped("/opt/caf\0/lib/server/libjvm.so");
        assertThat(ProbeJvm.home(fake.target())).isEmpty();
        mapped("/opt/app/libjvm.so");
        assertThat(ProbeJvm.home(fake.target())).isEmpty();
        fake.shareUser();
        assertThatThrownBy(() -> new ProbeJvm(fake.target(), TICK_NS).run())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("bin/java");
    }

    @Test
    void theProgramOfAnotherUserIsNotRun() throws IOException {
        Path sign = jdkInOurRoot();
        fake.write("self/status", Files.readString(fake.file("self/status")).replaceAll("Uid:.*", "Uid:\t0\t0\t0\t0"));
        assertThatThrownBy(() -> new ProbeJvm(fake.target(), TICK_NS).run()).hasMessageContaining("another user's");
        assertThat(sign).doesNotExist();
    }

    @Test
    void theProgramsOfAnotherRootAreNotRun() throws IOException {
        Path sign = other.resolve("was-run");
        String inBothRoots = other.resolve("jdk/bin/java").toString();
        fake.shareUser();
        javaAt(inBothRoots, "touch " + sign);
        Files.createDirectories(other.resolve("jdk/bin"));
        Files.copy(fake.file("77/root" + inBothRoots), other.resolve("jdk/bin/java"));
        mapped(other + "/jdk/lib/server/libjvm.so");
        assertThatThrownBy(() -> new ProbeJvm(fake.target(), TICK_NS).run())
                .hasMessageContaining("another root directory");
        assertThat(sign).doesNotExist();
    }

    @Test
    void whatHasBecomeAnotherUsersMeanwhileIsNotTriedWithThatUsersRights() throws IOException {
        Path sign = jdkInOurRoot();
        Target target = fake.target();
        fake.statusWith("Uid:.*", "Uid:\t0\t0\t0\t0");
        assertThat(Documented.refusal(() -> new ProbeJvm(target, TICK_NS).run()))
                .hasMessageContaining("another user's while it was looked at");
        assertThat(sign).doesNotExist();
    }

    @Test
    void aJdkThatOthersMayHavePutThereIsNotTried() throws IOException {
        Path sign = jdkInOurRoot();
        Path place = other.resolve("jdk/bin");
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> new ProbeJvm(fake.target(), TICK_NS).run())
                .hasMessageContaining("others may have put its JDK there, everybody may write to " + place);
        assertThat(sign).doesNotExist();
    }

    @Test
    void aJdkThatIsNoMoreTheOneOfTheJvmIsNotTried() throws IOException {
        Path sign = jdkInOurRoot();
        String asItWas = Files.readString(fake.file("77/maps"));
        fake.write("77/maps", asItWas.replaceFirst("\n", " (deleted)\n"));
        assertThatThrownBy(() -> new ProbeJvm(fake.target(), TICK_NS).run()).hasMessageContaining("another one put");
        fake.write("77/maps", asItWas);
        Files.createSymbolicLink(fake.file("77/exe"), Path.of("/jdk/bin/java (deleted)"));
        assertThatThrownBy(() -> new ProbeJvm(fake.target(), TICK_NS).run()).hasMessageContaining("another one put");
        assertThat(sign).doesNotExist();
    }

    @Test
    void aFileThatIsMappedAsDataTellsOfNoJdk() {
        javaAt("/jdk/bin/java", "exit 0");
        fake.write("77/maps", fake.code("/jdk/lib/server/libjvm.so").replace("r-xp", "r--p"));
        assertThat(ProbeJvm.home(fake.target())).isEmpty();
    }

    /** Its java leaves a file behind. */
    private Path jdkInOurRoot() throws IOException {
        Path sign = other.resolve("was-run");
        fake.shareRoot().shareUser();
        javaAt(other + "/jdk/bin/java", "touch " + sign);
        String libjvm = other + "/jdk/lib/server/libjvm.so";
        fake.write("77/root" + libjvm, "")
                .permissions("77/root" + libjvm, "rw-r--r--")
                .write("77/maps", fake.code(libjvm));
        for (String place : List.of("/bin", "/lib/server", "/lib", "")) {
            fake.permissions("77/root" + other + "/jdk" + place, "rwxr-xr-x");
        }
        return sign;
    }

    private void javaAt(String path, String command) {
        fake.write("77/root" + path, "#!/bin/sh\n" + command + "\n").permissions("77/root" + path, "rwxr-xr-x");
    }

    private void mapped(String libjvm) {
        fake.write("77/maps", FakeProc.LIBJVM.replace("/usr/lib/jvm/lib/server/libjvm.so", libjvm));
    }
}
