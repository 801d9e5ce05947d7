// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a home directory says about the runtime in it: its {@code release} file or, without one, {@code java
 * -version}.
 */
final class JdkRelease {
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
            return version.map(
                    v -> new Jdk(canonicalHome, v, first(FILE_VENDOR, release).orElse("")));
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
