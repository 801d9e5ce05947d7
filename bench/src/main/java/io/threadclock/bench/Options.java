// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.threadclock.harness.EndingException;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.LoadAverage;
import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The options of a command. Its help is launcher/help/COMMAND.txt.
 *
 * @param isQuick whether {@code --quick} was given
 * @param features the JDKs of {@code --jdks}; empty: those that are found
 * @param rest everything else, in order
 */
record Options(String command, boolean isQuick, Set<Integer> features, List<String> rest) {
    /** The oldest JDK on which these programs run. */
    static final int OLDEST_FEATURE = 17;

    /** The oldest JDK with virtual threads. */
    static final int OLDEST_WITH_VIRTUAL = 21;

    private static final int USAGE = 2;

    /** A command; returns true if all that is promised held. */
    interface Command {
        boolean run(Options options) throws Exception;
    }

    /**
     * Runs a command, and ends this JVM: 0, 1 if a promise did not hold or nothing could be measured, 2 for bad usage.
     */
    static void run(String command, String[] arguments, Command body) throws Exception {
        // The tables contain characters beyond ASCII, and the locale of a container is often C.
        System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(System.err, true, StandardCharsets.UTF_8));
        System.exit(status(command, arguments, body));
    }

    private static int status(String command, String[] arguments, Command body) throws Exception {
        try {
            Options options = parse(command, arguments);
            options.warnOfLoad();
            boolean holds = body.run(options);
            options.warnOfLoad();
            return holds ? 0 : 1;
        } catch (EndingException interrupted) {
            return 1;
        } catch (SetupException refused) {
            System.err.println("threadclock " + command + ": " + refused.getMessage());
            return 1;
        } catch (IllegalArgumentException wrong) {
            System.err.println(
                    "threadclock " + command + ": " + wrong.getMessage().replace('\n', ' ') + " ./threadclock "
                            + command + " --help lists the options.");
            return USAGE;
        }
    }

    static Options parse(String command, String... arguments) {
        boolean isQuick = false;
        Set<Integer> features = new TreeSet<>();
        List<String> rest = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.equals("--quick")) {
                isQuick = true;
            } else if (argument.startsWith("--jdks=")) {
                Stream.of(argument.substring("--jdks=".length()).split(","))
                        .forEach(it -> features.add(number("--jdks", it)));
            } else {
                rest.add(argument);
            }
        }
        return new Options(command, isQuick, features, rest);
    }

    /** Refuses what is left over. */
    Options withoutRest() {
        if (!rest.isEmpty()) {
            throw new IllegalArgumentException("unknown option '" + rest.get(0) + "'.");
        }
        return this;
    }

    static int number(String option, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException other) {
            throw new IllegalArgumentException(option + " takes a number, not '" + text + "'.");
        }
    }

    /** The JDKs to run on, oldest first. @throws SetupException if there is none, or one that is named is missing */
    List<Jdk> jdks(int oldestFeature) {
        return Jdks.choose(oldestFeature, features);
    }

    /** Those, but if none is named the oldest and the newest. */
    List<Jdk> oldestAndNewest(int oldestFeature) {
        List<Jdk> all = jdks(oldestFeature);
        return features.isEmpty() && all.size() > 2 ? List.of(all.get(0), all.get(all.size() - 1)) : all;
    }

    /** The checkout. */
    static Path home() {
        return Path.of(System.getenv().getOrDefault("THREADCLOCK_HOME", "."))
                .toAbsolutePath()
                .normalize();
    }

    /** A file that {@code make -C bench} has built. */
    static Path built(String name) {
        return home().resolve("bench/build").resolve(name);
    }

    /** In one line. */
    static String machine() throws IOException {
        String cpu = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name") || line.startsWith("CPU part"))
                .findFirst()
                .orElse("unknown CPU");
        return cpu.replaceFirst(".*: ", "") + ", " + Runtime.getRuntime().availableProcessors() + " CPUs, Linux "
                + System.getProperty("os.version") + ", " + LocalDate.now();
    }

    /** Before the measurement and again below the results, because nobody reads what was printed minutes ago. */
    private void warnOfLoad() {
        LoadAverage.before()
                .warning(Runtime.getRuntime().availableProcessors())
                .ifPresent(warning -> System.err.println("threadclock " + command + ": " + warning));
    }
}
