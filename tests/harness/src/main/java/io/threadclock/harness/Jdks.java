// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the Java runtimes of this machine.
 *
 * <p>{@code THREADCLOCK_JDKS}, a colon-separated list of home directories, overrides the search. Without it the search
 * looks at {@code JAVA_HOME}, {@code /usr/lib/jvm/*}, {@code /opt/*jdk*} and {@code ~/.sdkman/candidates/java/*}.
 * Several paths to one home count once.
 */
public final class Jdks {
    static final String OVERRIDE = "THREADCLOCK_JDKS";

    private final Map<String, String> environment;
    private final Path root;
    private final Path userHome;

    Jdks(Map<String, String> environment, Path root, Path userHome) {
        this.environment = environment;
        this.root = root;
        this.userHome = userHome;
    }

    /**
     * Every runtime found on this machine, oldest version first.
     *
     * @throws SetupException if {@code THREADCLOCK_JDKS} names a directory that holds no runtime
     */
    public static List<Jdk> installed() {
        return new Jdks(System.getenv(), Path.of("/"), Path.of(System.getProperty("user.home"))).find();
    }

    /** One runtime per feature version, at least {@code minimumFeature}, oldest first; the newest update of each. */
    public static List<Jdk> onePerFeature(int minimumFeature) {
        return onePerFeature(installed(), minimumFeature);
    }

    /**
     * One runtime per feature version of this machine, from {@code minimumFeature} on; if {@code features} are named,
     * only these.
     *
     * @throws SetupException if there is none, or one that is named is missing
     */
    public static List<Jdk> choose(int minimumFeature, Set<Integer> features) {
        return choose(installed(), minimumFeature, features);
    }

    static List<Jdk> choose(List<Jdk> found, int minimumFeature, Set<Integer> features) {
        List<Jdk> chosen = onePerFeature(found, minimumFeature).stream()
                .filter(jdk -> features.isEmpty() || features.contains(jdk.feature()))
                .toList();
        if (chosen.isEmpty() || chosen.size() < features.size()) {
            String wanted = features.isEmpty() ? "a JDK " + minimumFeature + " or newer" : "the JDKs " + features;
            throw new SetupException("Looking for " + wanted + ": found " + (found.isEmpty() ? "none" : found)
                    + ". Install one, or name the homes of JDKs in THREADCLOCK_JDKS, separated by colons.");
        }
        return chosen;
    }

    /** The runtime that runs this program. */
    public static Jdk running() {
        return new Jdk(
                Path.of(System.getProperty("java.home")),
                System.getProperty("java.version"),
                System.getProperty("java.vendor"));
    }

    static List<Jdk> onePerFeature(List<Jdk> jdks, int minimumFeature) {
        Map<Integer, Jdk> newest = new TreeMap<>();
        for (Jdk jdk : jdks) {
            if (jdk.feature() >= minimumFeature) {
                newest.merge(jdk.feature(), jdk, BinaryOperator.maxBy(Jdk.BY_VERSION));
            }
        }
        return List.copyOf(newest.values());
    }

    List<Jdk> find() {
        Map<Path, Jdk> byHome = new LinkedHashMap<>();
        String override = environment.getOrDefault(OVERRIDE, "");
        for (Path candidate : override.isBlank() ? searched() : named(override)) {
            Optional<Jdk> jdk = JdkRelease.read(candidate);
            if (jdk.isEmpty() && !override.isBlank()) {
                throw new SetupException(OVERRIDE + " names " + candidate + ": there is no working bin/java in it. "
                        + "Give home directories of JDKs, separated by colons, or unset it.");
            }
            jdk.ifPresent(found -> byHome.putIfAbsent(found.home(), found));
        }
        return byHome.values().stream().sorted(Jdk.BY_VERSION).toList();
    }

    private static List<Path> named(String override) {
        List<Path> homes = new ArrayList<>();
        for (String home : override.split(File.pathSeparator)) {
            if (!home.isBlank()) {
                homes.add(Path.of(home.strip()));
            }
        }
        return homes;
    }

    private List<Path> searched() {
        List<Path> homes = new ArrayList<>();
        String javaHome = environment.getOrDefault("JAVA_HOME", "");
        if (!javaHome.isBlank()) {
            homes.add(Path.of(javaHome));
        }
        homes.addAll(children(root.resolve("usr/lib/jvm"), "*"));
        homes.addAll(children(root.resolve("opt"), "*jdk*"));
        homes.addAll(children(userHome.resolve(".sdkman/candidates/java"), "*"));
        return homes;
    }

    private static List<Path> children(Path directory, String glob) {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
            stream.forEach(children::add);
        } catch (NoSuchFileException | NotDirectoryException absent) {
            return List.of();
        } catch (IOException unreadable) {
            return List.of(); // a place that cannot be searched holds no JDK for this user
        }
        children.sort(Comparator.naturalOrder());
        return children;
    }

    /**
     * The description of the runtime in a home directory: its {@code release} file or, without one, {@code java
     * -version}.
     */
    static final class JdkRelease {
        private static final Pattern FILE_VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"([^\"]+)\"");
        private static final Pattern FILE_EARLY_ACCESS = Pattern.compile("(?m)^JAVA_RUNTIME_VERSION=\"[0-9.]+(-ea)\\b");
        private static final Pattern FILE_VENDOR = Pattern.compile("(?m)^IMPLEMENTOR=\"([^\"]+)\"");
        private static final Pattern PRINTED_VERSION = Pattern.compile("version \"([^\"]+)\"");
        private static final int LAUNCH_TIMEOUT_S = 20;

        private JdkRelease() {}

        /** The runtime at {@code home}, or empty if there is none that starts. */
        static Optional<Jdk> read(Path home) {
            if (!Files.isExecutable(home.resolve("bin/java"))) {
                return Optional.empty();
            }
            try {
                Path canonicalHome = home.toRealPath();
                Path releaseFile = canonicalHome.resolve("release");
                String release = Files.isReadable(releaseFile) ? Files.readString(releaseFile) : "";
                Optional<String> version = first(FILE_VERSION, release)
                        .map(released ->
                                released + first(FILE_EARLY_ACCESS, release).orElse(""));
                if (version.isEmpty()) {
                    version = first(PRINTED_VERSION, printedVersion(canonicalHome));
                }
                return version.map(v ->
                        new Jdk(canonicalHome, v, first(FILE_VENDOR, release).orElse("")));
            } catch (IOException vanishedOrBroken) {
                return Optional.empty();
            }
        }

        private static String printedVersion(Path home) throws IOException {
            Process process = new ProcessBuilder(home.resolve("bin/java").toString(), "-version")
                    .redirectErrorStream(true)
                    .start();
            try {
                String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return process.waitFor(LAUNCH_TIMEOUT_S, TimeUnit.SECONDS) && process.exitValue() == 0 ? printed : "";
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return "";
            } finally {
                process.destroyForcibly();
            }
        }

        private static Optional<String> first(Pattern pattern, String text) {
            Matcher matcher = pattern.matcher(text);
            return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
        }
    }
}
