// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which JDKs a measurement is of, and which versions it tells. */
class JdksTest {
    @TempDir
    private Path root;

    @Test
    void takesTheNewestUpdateOfEachFeatureVersionWhateverItsSpelling() throws IOException {
        for (String version : List.of("17.0.9", "17.0.15", "1.8.0_402", "25", "25.0.4")) {
            install(version, "JAVA_VERSION=\"" + version + "\"\n");
        }
        assertThat(Jdks.onePerFeature(find(Map.of()), 8))
                .extracting(Jdk::version)
                .containsExactly("1.8.0_402", "17.0.15", "25.0.4");
    }

    @Test
    void tellsAnEarlyAccessVersionFromTheReleasedOneAndAsksJavaWithoutAReleaseFile() throws IOException {
        install("early", "JAVA_RUNTIME_VERSION=\"28-ea+18-1\"\nJAVA_VERSION=\"28\"\n");
        Path bare = install("bare", "");
        Files.writeString(bare.resolve("bin/java"), "#!/bin/sh\necho 'openjdk version \"21.0.9\" 2025-10-21' >&2\n");
        assertThat(find(Map.of())).extracting(Jdk::version).containsExactly("21.0.9", "28-ea");
    }

    @Test
    void refusesIfOneThatIsNamedIsMissing() throws IOException {
        Path home = install("17", "JAVA_VERSION=\"17.0.15\"\n");
        assertThatThrownBy(() -> find(Map.of(Jdks.OVERRIDE, home + ":" + root))).isInstanceOf(SetupException.class);
        List<Jdk> found = find(Map.of(Jdks.OVERRIDE, home.toString()));
        assertThat(Jdks.choose(found, 17, Set.of(17))).isEqualTo(found);
        assertThatThrownBy(() -> Jdks.choose(found, 17, Set.of(17, 21))).isInstanceOf(SetupException.class);
        assertThatThrownBy(() -> Jdks.choose(found, 21, Set.of())).isInstanceOf(SetupException.class);
    }

    private List<Jdk> find(Map<String, String> environment) {
        return new Jdks(environment, root, root.resolve("home")).find();
    }

    private Path install(String name, String release) throws IOException {
        Path home = root.resolve("usr/lib/jvm").resolve(name);
        Files.createDirectories(home.resolve("bin"));
        Files.createFile(
                home.resolve("bin/java"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(home.resolve("release"), release);
        return home.toRealPath();
    }
}
