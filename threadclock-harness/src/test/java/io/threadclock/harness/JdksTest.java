// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdksTest {
    private static final Jdk OLD = new Jdk(Path.of("/jdk/11"), "11.0.2", "");
    private static final Jdk MIDDLE = new Jdk(Path.of("/jdk/17"), "17.0.15", "");
    private static final Jdk NEW = new Jdk(Path.of("/jdk/25"), "25", "");
    private static final List<Jdk> FOUND = List.of(OLD, MIDDLE, NEW);

    @TempDir
    Path root;

    @Test
    void findsJdksOfDebianOfOptAndOfSdkman() throws IOException {
        install("usr/lib/jvm/java-17-openjdk", "17.0.15");
        install("opt/my-jdk-21", "21.0.2");
        install("home/.sdkman/candidates/java/25-tem", "25");
        assertThat(find(Map.of())).extracting(Jdk::version).containsExactly("17.0.15", "21.0.2", "25");
    }

    @Test
    void countsSeveralPathsToOneHomeOnce() throws IOException {
        Path home = install("usr/lib/jvm/java-17-openjdk", "17.0.15");
        Files.createSymbolicLink(root.resolve("usr/lib/jvm/default-java"), home);
        assertThat(find(Map.of("JAVA_HOME", home.toString())))
                .extracting(Jdk::home)
                .containsExactly(home);
    }

    @Test
    void takesTheNewestUpdateOfEachFeatureVersionWhateverItsSpelling() throws IOException {
        install("usr/lib/jvm/a", "17.0.9");
        install("usr/lib/jvm/b", "17.0.15");
        install("usr/lib/jvm/c", "1.8.0_402");
        install("usr/lib/jvm/d", "25");
        install("usr/lib/jvm/e", "25.0.4");
        assertThat(Jdks.onePerFeature(find(Map.of()), 8))
                .extracting(Jdk::version)
                .containsExactly("1.8.0_402", "17.0.15", "25.0.4");
    }

    @Test
    void refusesAnOverrideThatNamesNoJdk() {
        assertThatThrownBy(() -> find(Map.of(Jdks.OVERRIDE, root.toString())))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll(Jdks.OVERRIDE, root.toString(), "bin/java", "separated by colons");
    }

    @Test
    void tellsAnEarlyAccessVersionFromTheReleasedOne() throws IOException {
        Path home = install("usr/lib/jvm/early", "28");
        Files.writeString(home.resolve("release"), "JAVA_RUNTIME_VERSION=\"28-ea+18-1\"\nJAVA_VERSION=\"28\"\n");
        assertThat(find(Map.of())).extracting(Jdk::version, Jdk::feature).containsExactly(tuple("28-ea", 28));
    }

    @Test
    void asksJavaItselfWhereThereIsNoReleaseFile() throws IOException {
        Path home = install("usr/lib/jvm/bare", "unused");
        Files.delete(home.resolve("release"));
        Files.writeString(home.resolve("bin/java"), "#!/bin/sh\necho 'openjdk version \"21.0.9\" 2025-10-21' >&2\n");
        assertThat(find(Map.of())).extracting(Jdk::version).containsExactly("21.0.9");
    }

    @Test
    void refusesToChooseIfOneThatIsNamedIsMissingOrNoneIsNewEnough() {
        assertThatThrownBy(() -> Jdks.choose(FOUND, 17, new TreeSet<>(Set.of(17, 21))))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("the JDKs [17, 21]", "JDK 25", "THREADCLOCK_JDKS");
        assertThatThrownBy(() -> Jdks.choose(List.of(OLD), 17, Set.of()))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("a JDK 17 or newer", "JDK 11.0.2");
    }

    private List<Jdk> find(Map<String, String> environment) {
        return new Jdks(environment, root, root.resolve("home")).find();
    }

    private Path install(String home, String version) throws IOException {
        Path directory = root.resolve(home);
        Files.createDirectories(directory.resolve("bin"));
        Files.createFile(
                directory.resolve("bin/java"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(directory.resolve("release"), "IMPLEMENTOR=\"Test\"\nJAVA_VERSION=\"" + version + "\"\n");
        return directory.toRealPath();
    }
}
