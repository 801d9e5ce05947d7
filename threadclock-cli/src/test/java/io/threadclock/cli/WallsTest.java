// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which package needs which. */
class WallsTest {
    private static final Path SOURCES = DocumentedScreen.HOME.resolve("threadclock-cli/src/main/java/io/threadclock/cli");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?io\\.threadclock\\.cli\\.([a-z]*)\\.?[A-Z]");

    /** In a literal all of /proc but the files of this process and of the machine; or the folder itself. */
    private static final Pattern OF_A_PROCESS =
            Pattern.compile("\"(?:/proc|/?proc/(?!self/|sys/|cpuinfo)[^\"\\n]*)\"|\\.mount\\(\\)");
    /** The program that runs as the target's user, and can do nothing that this user cannot. */
    private static final Set<String> WITHOUT_RIGHTS = Set.of("AttachClient.java");

    @Test
    void noTwoPackagesNeedEachOther() throws IOException {
        Map<String, Set<String>> needs = needs();
        while (needs.values().removeIf(Set::isEmpty)) {
            needs.values().forEach(needed -> needed.retainAll(needs.keySet()));
        }
        assertThat(needs).as("packages that need themselves by way of others").isEmpty();
    }

    @Test
    void whatAProcessIsNeedsNothingElse() throws IOException {
        assertThat(needs().get("process")).isEmpty();
        assertThat(needs().get("attach")).containsExactly("process");
    }

    /** Else a process that got the pid of another one is taken for it. */
    @Test
    void nothingButTheTargetOpensWhatTheKernelShowsOfAProcess() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            assertThat(files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !packageOf(file).equals("process") && !WITHOUT_RIGHTS.contains(file.getFileName().toString()))
                            .flatMap(file -> OF_A_PROCESS.matcher(text(file)).results().map(found -> file.getFileName() + ": " + found.group())))
                    .as("ways to /proc/PID beside the package process")
                    .isEmpty();
        }
    }

    @Test
    void theWallSeesWaysAroundTheTarget() {
        assertThat(List.of("\"/proc/\" + pid", "\"proc/\" + pid", "Path.of(\"/proc\")", "\"/proc/77/maps\"", "proc.mount()", "\"/proc/%d/stat\""))
                .allMatch(way -> OF_A_PROCESS.matcher(way).find());
        assertThat(List.of("\"/proc/self/status\"", "\"proc/sys/kernel/osrelease\"", "\"proc/cpuinfo\""))
                .noneMatch(way -> OF_A_PROCESS.matcher(way).find());
    }

    /** Of each package by its last name; the commands' own has none. */
    private static Map<String, Set<String>> needs() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .collect(Collectors.toMap(WallsTest::packageOf, WallsTest::neededBy, WallsTest::both, TreeMap::new));
        }
    }

    private static String packageOf(Path file) {
        return SOURCES.relativize(file.getParent()).toString();
    }

    private static Set<String> neededBy(Path file) {
        Set<String> needed = IMPORT.matcher(text(file)).results().map(found -> found.group(1)).collect(Collectors.toCollection(TreeSet::new));
        needed.remove(packageOf(file));
        return needed;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> both(Set<String> some, Set<String> more) {
        some.addAll(more);
        return some;
    }
}
