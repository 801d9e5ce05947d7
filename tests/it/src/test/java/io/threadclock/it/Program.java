// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.LawRunner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A probe, and everything that decides how it runs. Each program runs once, however many tests judge its output.
 *
 * @param starter the program that starts the JVM, see {@link ChildJvm.Builder#startedBy}; empty: none
 * @param presence what happens at its gates
 * @param libraries what is on its class path beside the probes; empty: the class path of the tests
 */
record Program(
        Jdk jdk,
        Class<?> probe,
        List<String> arguments,
        List<String> jvmOptions,
        List<String> starter,
        Map<String, String> environment,
        Presence presence,
        List<Path> libraries) {
    static final AgentLibrary LIBRARY = AgentLibrary.in(Path.of(System.getProperty("threadclock.home", "../..")));

    private static final Map<Program, Outcome> OUTCOMES = new ConcurrentHashMap<>();
    /** The time after which a program counts as hanging. On a busy machine, a program of 10 s takes minutes. */
    static final Duration TIMEOUT = Duration.ofMinutes(10);

    private static final List<String> COMMON_OPTIONS =
            List.of("-Xmx128m", "-XX:-UsePerfData", "-XX:ErrorFile=target/hs_err_pid%p.log");

    /** The probe without the agent. */
    static Program stock(Jdk jdk, Class<?> probe, String... arguments) {
        return new Program(jdk, probe, List.of(arguments), List.of(), List.of(), Map.of(), Presence.STOCK, List.of());
    }

    /** The probe with the agent and its default options. */
    static Program withAgent(Jdk jdk, Class<?> probe, String... arguments) {
        return stock(jdk, probe, arguments).agent("");
    }

    /** These tests of a class that asserts in the JVM itself, see {@link #passes}. */
    static Program law(Jdk jdk, Class<?> law, String... tests) {
        return stock(jdk, LawRunner.class, law.getName())
                .arguments(tests)
                .nativeAccess()
                .jvmOption(Thoroughness.amountFor(jdk));
    }

    /** Adds the agent with these options. */
    Program agent(String options) {
        return jvmOption(LIBRARY.jvmOption(options));
    }

    Program jvmOption(String... options) {
        return new Program(jdk, probe, arguments, with(jvmOptions, options), starter, environment, presence, libraries);
    }

    Program arguments(String... more) {
        return new Program(jdk, probe, with(arguments, more), jvmOptions, starter, environment, presence, libraries);
    }

    private static List<String> with(List<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }

    /** Enables native access where the JDK would otherwise warn, or the library would choose another binding. */
    Program nativeAccess() {
        return jdk.feature() >= 22 ? jvmOption("--enable-native-access=ALL-UNNAMED") : this;
    }

    /**
     * Mounts all virtual threads on one carrier. On more of them, a virtual thread may change its carrier wherever it
     * meets a monitor or a class that is being initialized, so that the kernel's account of the calling thread becomes
     * another thread's in the middle of its work.
     */
    Program onOneCarrier() {
        return jvmOption("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");
    }

    Program startedBy(List<String> command) {
        return new Program(jdk, probe, arguments, jvmOptions, command, environment, presence, libraries);
    }

    Program environment(String name, String setting) {
        Map<String, String> more = new LinkedHashMap<>(environment);
        more.put(name, setting);
        return new Program(jdk, probe, arguments, jvmOptions, starter, more, presence, libraries);
    }

    /** See {@link Presence#of}. */
    Program present(Presence other) {
        return new Program(jdk, probe, arguments, jvmOptions, starter, environment, other, libraries);
    }

    /** Puts the files of this folder on its class path, and none of the tests. */
    Program libraries(Path folder) {
        return classPath(placeOf(probe), folder.resolve("*"));
    }

    Program classPath(Path... entries) {
        return new Program(jdk, probe, arguments, jvmOptions, starter, environment, presence, List.of(entries));
    }

    private static Path placeOf(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    /** The result, whatever it is. */
    Outcome outcome() {
        return OUTCOMES.computeIfAbsent(this, Program::run);
    }

    /** The test fails if the program did, and is skipped if the kernel refuses the source, or a law has a reason. */
    Program passes() {
        facts();
        return this;
    }

    /** The facts it printed; the test fails if it did not end well, and is skipped if the kernel refuses the source. */
    Facts facts() {
        return facts(0);
    }

    /** The same for a probe that ends with another status. */
    Facts facts(int status) {
        return outcome().facts(status);
    }

    private Outcome run() {
        Gatekeeper gatekeeper = new Gatekeeper(presence);
        try (ChildJvm child = builder(gatekeeper).start()) {
            gatekeeper.guard(child);
            ChildResult result = child.await();
            gatekeeper.rethrowFailure();
            return new Outcome(this, result);
        }
    }

    ChildJvm.Builder builder(Consumer<String> onStdout) {
        ChildJvm.Builder builder = ChildJvm.on(jdk)
                .startedBy(starter.toArray(String[]::new))
                .jvmOptions(COMMON_OPTIONS)
                .jvmOptions(Thoroughness.shortLife(jvmOptions))
                .jvmOptions(jvmOptions)
                .classPath(libraries)
                .mainClass(probe)
                .arguments(arguments.toArray(String[]::new))
                .onStdout(onStdout)
                .timeout(TIMEOUT);
        environment.forEach(builder::environment);
        return builder;
    }

    @Override
    public String toString() {
        return probe.getSimpleName() + arguments + " on " + jdk + " with " + jvmOptions
                + (presence == Presence.STOCK ? "" : " " + presence);
    }
}
