// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The folder of a JDK, for programs that need a newer one than the tests, or each of several. */
record JdkHome(int feature, Path folder) {
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    /** That of the tests. */
    static JdkHome running() {
        return new JdkHome(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
    }

    /** Those from Java 21 on that THREADCLOCK_JDKS names; that of the tests if there is none, or they are to be brief. */
    static List<JdkHome> withVirtualThreads() {
        String named = System.getProperty("threadclock.brief") == null ? System.getenv("THREADCLOCK_JDKS") : null;
        Stream<JdkHome> homes = named == null
                ? Stream.of(running())
                : Stream.of(named.split(File.pathSeparator)).map(JdkHome::at);
        return homes.filter(jdk -> jdk.feature >= FIRST_WITH_VIRTUAL_THREADS)
                .sorted(Comparator.comparing(JdkHome::feature))
                .toList();
    }

    private static JdkHome at(String folder) {
        Path home = Path.of(folder);
        try {
            return Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)")
                    .matcher(Files.readString(home.resolve("release")))
                    .results()
                    .map((MatchResult version) -> new JdkHome(Integer.parseInt(version.group(1)), home))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException unreadable) {
            return new JdkHome(0, home);
        }
    }

    String java() {
        return folder.resolve("bin/java").toString();
    }

    @Override
    public String toString() {
        return "JDK " + feature;
    }
}
