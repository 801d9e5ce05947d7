// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        try {
            Set<String> needed = IMPORT.matcher(Files.readString(file)).results().map(found -> found.group(1)).collect(Collectors.toCollection(TreeSet::new));
            needed.remove(packageOf(file));
            return needed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> both(Set<String> some, Set<String> more) {
        some.addAll(more);
        return some;
    }
}
