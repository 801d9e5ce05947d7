// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The output of an example that is run as its comment says. Each example runs once per JDK. */
record Printed(Class<?> example, Jdk jdk, List<String> lines) {
    private static final boolean IS_BRIEF = System.getProperty("threadclock.brief") != null;
    private static final int OLDEST = 8;
    /** The first Java version that warns about native code. */
    private static final int WARNS = 24;

    static final Path JAR =
            Path.of(System.getProperty("threadclock.home", ".."), "examples/target/threadclock-examples.jar");
    private static final Pattern NS = Pattern.compile("([\\d,.\\h'\u2019]*\\d) ns");
    private static final Map<List<Object>, Printed> RUNS = new ConcurrentHashMap<>();

    /** The oldest and the newest JDK that are found; the newest if the tests are to be brief. */
    static Stream<Jdk> jdks() {
        List<Jdk> all = Jdks.onePerFeature(OLDEST);
        return Stream.of(all.get(IS_BRIEF ? all.size() - 1 : 0), all.get(all.size() - 1))
                .distinct();
    }

    static Printed by(Class<?> example, Jdk jdk) {
        return RUNS.computeIfAbsent(List.of(example, jdk), key -> run(example, jdk));
    }

    /** The line that begins with this text. */
    String line(String beginning) {
        return linesOf(beginning).get(0);
    }

    /** The lines that begin with this text; at least one. */
    List<String> linesOf(String beginning) {
        List<String> found =
                lines.stream().filter(line -> line.startsWith(beginning)).toList();
        assertThat(found)
                .as("lines that begin with %s among %s", beginning, lines)
                .isNotEmpty();
        return found;
    }

    /** The numbers of a line, in its order. */
    static List<Long> ns(String line) {
        return NS.matcher(line)
                .results()
                .map(figure -> Long.valueOf(figure.group(1).replaceAll("\\D", "")))
                .toList();
    }

    private static Printed run(Class<?> example, Jdk jdk) {
        ChildResult result = ChildJvm.on(jdk)
                .jvmOptions(options(jdk))
                .classPath(List.of(JAR))
                .mainClass(example)
                .run();
        assertThat(result.stderr())
                .as("what %s on %s complains of", example, jdk)
                .isEmpty();
        assertThat(result.exitStatus())
                .as("exit status of %s on %s", example, jdk)
                .isZero();
        return new Printed(example, jdk, result.stdoutLines());
    }

    private static List<String> options(Jdk jdk) {
        List<String> options = new ArrayList<>();
        if (IS_BRIEF) {
            options.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        }
        if (jdk.feature() >= WARNS) {
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        return options;
    }
}
