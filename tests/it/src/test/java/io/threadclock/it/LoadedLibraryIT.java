// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.MappingProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a JVM that has loaded the library already, from a file that is not the command's, or is gone. */
class LoadedLibraryIT {
    private static final Path OWN = Program.LIBRARY.path();
    private static final String READING = "-D" + MappingProbe.CLOCK + "=true";

    @TempDir
    Path directory;

    /** The library of the jar is deleted once it is loaded, and so is its folder. */
    @Tag("long")
    @OnOldestAndNewestJdk
    void everyCommandWorksOnAProgramThatHasTheLibraryOutOfItsJar(Jdk jdk) throws IOException {
        try (WaitingJvm jvm = new WaitingJvm(jdk, MappingProbe.class, READING)) {
            assertThat(loadedIn(jvm)).singleElement().asString().endsWith(" (deleted)");
            CommandLineTool.done(OWN, "top", "-b", "-n1", "-d100ms", jvm.pid());
            CommandLineTool.done(OWN, "attach", jvm.pid());
            CommandLineTool.done(OWN, "detach", jvm.pid());
            CommandLineTool.done(OWN, "doctor", jvm.pid());
            CommandLineTool.done(OWN, "record", "--duration=1s", "--dir=" + directory.resolve("recording"), jvm.pid());
        }
    }

    @Tag("long")
    @Test
    void anAgentIsDetachedThoughAnUpgradeHasRemovedItsFolder() throws IOException {
        for (Path installed : List.of(CopyOfLibrary.path(), CopyOfLibrary.ofAnotherVersion())) {
            Path agent = Files.copy(
                    installed, Files.createDirectory(directory.resolve("agent")).resolve("libthreadclock.so"));
            try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME, "-agentpath:" + agent)) {
                Files.delete(agent);
                Files.delete(agent.getParent());
                CommandLineTool.done(OWN, "detach", jvm.pid());
                assertThat(CommandLineTool.refused(OWN, "detach", jvm.pid()))
                        .contains("threadclock is not attached to it");
                CommandLineTool.done(OWN, "attach", jvm.pid());
            }
        }
    }

    @Test
    @Tag("server")
    void aCopyOfAnotherVersionThatIsInUseIsNamed() throws IOException {
        try (WaitingJvm jvm =
                new WaitingJvm(CommandLineTool.RUNTIME, "-agentpath:" + CopyOfLibrary.ofAnotherVersion())) {
            for (String command : List.of("attach", "top")) {
                assertThat(CommandLineTool.refused(OWN, command, jvm.pid()))
                        .contains("another copy of the library has this JVM");
            }
            assertThat(jvm.end().stderrLines())
                    .anyMatch(line -> line.contains(
                            "another copy has this JVM already: " + CopyOfLibrary.ofAnotherVersion() + " (9"));
        }
    }

    private static List<String> loadedIn(WaitingJvm jvm) throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc", jvm.pid(), "maps"))) {
            return maps.filter(line -> line.contains(" r-xp ") && line.contains("/libthreadclock"))
                    .toList();
        }
    }
}
