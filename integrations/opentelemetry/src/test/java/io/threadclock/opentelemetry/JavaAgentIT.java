// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs a program under OpenTelemetry's agent with the jar for it, and reads the spans that the agent logs. */
class JavaAgentIT {
    private static final String NATIVE_AGENT = "../../native/build/libthreadclock.so";

    @TempDir
    private Path folder;

    private String output;

    /**
     * The oldest and the newest that THREADCLOCK_JDKS names, with {@code -Dthreadclock.thorough} all; that of the tests
     * if there is none, or they are to be brief. OpenTelemetry's agent takes seconds to start, and the extension does
     * the same on all.
     */
    static List<Path> jdks() {
        String named = System.getProperty("threadclock.brief") == null ? System.getenv("THREADCLOCK_JDKS") : null;
        String homes = named == null ? System.getProperty("java.home") : named;
        List<Path> all = Arrays.asList(
                Stream.of(homes.split(File.pathSeparator)).map(Paths::get).toArray(Path[]::new));
        boolean thorough = System.getProperty("threadclock.thorough") != null;
        return thorough || all.size() < 3 ? all : Arrays.asList(all.get(0), all.get(all.size() - 1));
    }

    private static Path runningJdk() {
        return Paths.get(System.getProperty("java.home"));
    }

    private static boolean hasVirtualThreads(Path jdk) throws IOException {
        if (!Files.exists(jdk.resolve("release"))) {
            return false;
        }
        String release = new String(Files.readAllBytes(jdk.resolve("release")), StandardCharsets.UTF_8);
        Matcher version = Pattern.compile("JAVA_VERSION=\"(\\d+)").matcher(release);
        return version.find() && Integer.parseInt(version.group(1)) >= 21;
    }

    private void run(Path jdk, List<String> options, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(jdk.resolve("bin/java").toString());
        command.add("-javaagent:"
                + Paths.get("target/agents/opentelemetry-javaagent.jar").toAbsolutePath());
        command.add("-Dotel.javaagent.extensions="
                + Paths.get("target/threadclock-opentelemetry-extension.jar").toAbsolutePath());
        command.addAll(Arrays.asList("-Dotel.traces.exporter=logging", "-Dotel.metrics.exporter=none"));
        command.addAll(Arrays.asList("-Dotel.logs.exporter=none", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        command.addAll(Arrays.asList("-cp", System.getProperty("java.class.path"), SpanProgram.class.getName()));
        command.addAll(Arrays.asList(arguments));
        Path file = Paths.get("target/spans.log"); // docs/opentelemetry.md quotes it
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(file.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("has ended").isTrue();
        } finally {
            process.destroyForcibly();
        }
        output = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(output).isZero();
        assertThat(output).contains("own clock ").doesNotContain("ERROR", "WARN ");
    }

    private OptionalLong told(String span, String attribute) {
        Matcher line = Pattern.compile("(?s:.*)('" + span + "' : .*)").matcher(output); // the last
        assertThat(line.find()).as(output).isTrue();
        Matcher value = Pattern.compile("\\bthreadclock\\." + Pattern.quote(attribute) + "=(-?\\d+)")
                .matcher(line.group(1));
        return value.find() ? OptionalLong.of(Long.parseLong(value.group(1))) : OptionalLong.empty();
    }

    private long known(String span, String attribute) {
        return told(span, attribute)
                .orElseThrow(() -> new AssertionError(span + " has no " + attribute + ": " + output));
    }

    @Tag("server")
    @ParameterizedTest
    @MethodSource("jdks")
    void spansTellTheirCost(Path jdk) throws Exception {
        run(jdk, Collections.emptyList());
        assertThat(output).as("a second class loader has a clock").contains("own clock true");
        assertThat(known("work", "cpu.time")).isGreaterThanOrEqualTo(SpanProgram.WORK_NS);
        assertThat(known("work", "cpu.user_time") + known("work", "cpu.system_time"))
                .isEqualTo(known("work", "cpu.time"));
        for (String span : new String[] {"hop", "reactor"}) {
            assertThat(known(span, "cpu.time")).as("in two threads").isGreaterThanOrEqualTo(2 * SpanProgram.WORK_NS);
        }
        assertThat(known("sleep", "cpu.time")).isLessThan(SpanProgram.WORK_NS);
        told("sleep", "not_running").ifPresent(ns -> assertThat(ns)
                .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(SpanProgram.SLEEP_MS) * 3 / 4));
    }

    /** OpenTelemetry's own form of files, one line of JSON for each export. */
    @ParameterizedTest
    @MethodSource("jdks")
    void spansAndPoolsGoToAFile(Path jdk) throws Exception {
        String exporter = "experimental-otlp/stdout";
        run(jdk, Arrays.asList("-Dotel.traces.exporter=" + exporter, "-Dotel.metrics.exporter=" + exporter));
        assertSpansAndPoolsAreThere();
    }

    private void assertSpansAndPoolsAreThere() {
        assertThat(output)
                .contains("{\"key\":\"threadclock.cpu.time\",\"value\":{\"intValue\":\"")
                .contains("\"name\":\"threadclock.pool.cpu.time\"")
                .contains("{\"key\":\"threadclock.pool.name\",\"value\":{\"stringValue\":\"Reference Handler\"}}")
                .contains("{\"key\":\"cpu.mode\",\"value\":{\"stringValue\":\"system\"}}");
    }

    /** The file does not name threadclock, whose properties count. */
    @ParameterizedTest
    @MethodSource("jdks")
    void spansAndPoolsAreThereWithAConfigurationFile(Path jdk) throws Exception {
        String exporter = "{exporter: {otlp_file/development: }}";
        List<String> lines = Arrays.asList(
                "file_format: '1.2'",
                "tracer_provider: {processors: [{simple: " + exporter + "}]}",
                "meter_provider: {readers: [{periodic: " + exporter + "}]}");
        Path file = Files.write(folder.resolve("otel.yaml"), lines);
        run(jdk, Arrays.asList("-Dotel.config.file=" + file, "-Dthreadclock.spans.allocated-bytes=true"));
        assertSpansAndPoolsAreThere();
        assertThat(output).contains("threadclock.memory.allocated");
    }

    @Tag("server")
    @Test
    void spansTellNothingWithoutAClock() throws Exception {
        run(runningJdk(), Arrays.asList("-Dthreadclock.library=/nowhere/hidden.so", "-Dthreadclock.strict=true"));
        assertThat(output).contains("own clock false", "'work' : ").doesNotContain("threadclock.cpu");
    }

    @Tag("server")
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("jdks")
    void spansOfVirtualThreadsTellTheirCostIfThreadsAreMeasured(Path jdk) throws Exception {
        assumeThat(hasVirtualThreads(jdk)).isTrue();
        run(jdk, Collections.emptyList(), "virtual");
        assertThat(told("virtual", "cpu.time")).as("not measured").isEmpty();
        run(
                jdk,
                Collections.singletonList(
                        "-agentpath:" + Paths.get(NATIVE_AGENT).toAbsolutePath() + "=virtual"),
                "virtual");
        assertThat(known("virtual", "cpu.time")).as("measured").isPositive();
        assertThat(told("virtual", "run_delay")).as("nobody knows it").isEmpty();
    }
}
