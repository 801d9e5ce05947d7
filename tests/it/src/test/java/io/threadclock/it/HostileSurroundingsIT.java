// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.SurroundingsLaws;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Others interfere, or the system gives less than usual. The times are right all the same, the program ends as it
 * should, and its threads leave no file and no perf page behind. Runs on the oldest JDK and the newest.
 */
class HostileSurroundingsIT {
    private static final Path LIBRARIES = Path.of("/usr/lib/x86_64-linux-gnu");
    private static final String NO_RSEQ = "glibc.pthread.rseq=0";
    /**
     * A user who runs nothing else, because the limit is on all threads of a user: not the one of another test class
     * that runs at the same time, nor the one of another run of the tests.
     */
    private static final String LONE_USER =
            Long.toString(61_000 + ProcessHandle.current().pid() % 4_000);

    private static final int FEWEST_THREADS = 40;

    @TempDir
    static Path directory;

    static Stream<Jdk> jdks() {
        List<Jdk> all = JdksUnderTest.all().toList();
        return Stream.of(all.get(0), all.get(all.size() - 1)).distinct();
    }

    static Stream<Arguments> presences() {
        return jdks().flatMap(jdk ->
                Stream.of(Presence.AGENTPATH, Presence.BOOSTED).map(presence -> Arguments.of(jdk, presence)));
    }

    static Stream<Arguments> profilers() {
        return jdks().flatMap(jdk -> Stream.of("itimer", "ctimer")
                .flatMap(event -> Stream.of(true, false).map(first -> Arguments.of(jdk, event, first))));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("presences")
    void anAllocatorInFrontOfLibcsMayBeTcmalloc(Jdk jdk, Presence presence) {
        assertRight(presence.of(usual(jdk)).environment("LD_PRELOAD", library("libtcmalloc_minimal.so.4")));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("presences")
    void anAllocatorInFrontOfLibcsMayBeJemalloc(Jdk jdk, Presence presence) {
        assertRight(presence.of(usual(jdk)).environment("LD_PRELOAD", library("libjemalloc.so.2")));
    }

    @ParameterizedTest(name = "{0} {1}, profiler first: {2}")
    @MethodSource("profilers")
    @Tag("timing")
    void aProfilerMayInterruptAThousandTimesASecond(Jdk jdk, String event, boolean profilerFirst) throws IOException {
        Program stock = usual(jdk);
        Program program = profilerFirst
                ? stock.jvmOption(profiler(event)).agent("")
                : stock.agent("").jvmOption(profiler(event));
        assertRight(program);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("jdks")
    @Tag("timing")
    void itMayComeAndGoUnderAProfilerWhileThreadsChurn(Jdk jdk) throws IOException {
        ChurnIT.toggling(jdk)
                .present(Presence.TOGGLED_LESS)
                .jvmOption(profiler("ctimer"))
                .passes();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("presences")
    void rseqMayBeSwitchedOffByTunable(Jdk jdk, Presence presence) {
        assertRight(presence.of(usual(jdk)).environment("GLIBC_TUNABLES", NO_RSEQ));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("presences")
    void rseqAndPerfMayBothBeRefused(Jdk jdk, Presence presence) throws Exception {
        List<String> filter = SystemCallFilter.compiledIn(directory).without("rseq", "perf_event_open");
        assertRight(
                presence.of(usual(jdk)).environment("GLIBC_TUNABLES", NO_RSEQ).startedBy(filter));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("jdks")
    @Tag("timing")
    void noMemoryMayBeLockedForThePerfPagesOfManyThreads(Jdk jdk) throws Exception {
        List<String> limited = List.of("setpriv", "--bounding-set=-ipc_lock", "prlimit", "--memlock=0:0");
        assumeRuns(limited);
        assertRight(probe(jdk, 2000, 1000, 20)
                .jvmOption("-Xss256k")
                .agent("source=perf")
                .startedBy(limited));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("jdks")
    @Tag("timing")
    void threadsMayBeRefusedByALimit(Jdk jdk) throws Exception {
        List<String> limited = List.of(
                "setpriv",
                "--reuid=" + LONE_USER,
                "--inh-caps=+dac_read_search",
                "--ambient-caps=+dac_read_search",
                "prlimit",
                "--nproc=" + FEWEST_THREADS);
        assumeRuns(limited);
        Program stock = probe(jdk, 200, 200, 20).jvmOption("-XX:+UseSerialGC").startedBy(limited);
        assumeTrue(
                stock.arguments("run").outcome().exitStatus() == 0,
                jdk + " itself does not start as user " + LONE_USER);
        stock.arguments("areRightThoughSomeAreRefused").agent("").passes();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("jdks")
    void stacksMayBeTheSmallest(Jdk jdk) {
        assertRight(usual(jdk).jvmOption("-Xss228k").agent(""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("jdks")
    @Tag("timing")
    void tenThousandThreadsMayStartAndEnd(Jdk jdk) {
        assertRight(probe(jdk, 10000, 100, 3).agent(""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("jdks")
    @Tag("timing")
    void allThreadsMayBeStopped(Jdk jdk) {
        busy(jdk).present(Presence.STOPPED).passes();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("jdks")
    @Tag("timing")
    void aDebuggerMayAttachAndLetItGoOn(Jdk jdk) throws Exception {
        assumeRuns(List.of("gdb", "--version", "--args"));
        busy(jdk).present(Presence.DEBUGGED).passes();
    }

    /** The JVM finds its own libraries by it, so the loader is told where they are. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("jdks")
    void procMayNotBeMounted(Jdk jdk) throws Exception {
        List<String> hidden = List.of("unshare", "-m", "sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh");
        assumeRuns(hidden);
        Program stock = withItsLibraries(usual(jdk)).startedBy(hidden);
        assumeTrue(stock.arguments("run").outcome().exitStatus() == 0, jdk + " itself does not start without /proc");
        assertRight(stock.agent(""));
    }

    private static Program withItsLibraries(Program program) {
        Path home = program.jdk().home();
        String paths = Stream.of(
                        "lib", "lib/server", "lib/jli", "jre/lib/amd64", "jre/lib/amd64/server", "jre/lib/amd64/jli")
                .map(home::resolve)
                .filter(Files::isDirectory)
                .map(Path::toString)
                .reduce((first, second) -> first + ":" + second)
                .orElse("");
        return program.environment("LD_LIBRARY_PATH", paths);
    }

    private static Program usual(Jdk jdk) {
        return probe(jdk, 40, 8, 2000);
    }

    /** The window is so long that time which the thread did not have would show. */
    private static Program busy(Jdk jdk) {
        return probe(jdk, 8, 8, 2000).arguments("areRightWhileOneReadsOn").agent("window=100ms");
    }

    private static Program probe(Jdk jdk, int threads, int atOnce, int pairs) {
        return Program.law(jdk, SurroundingsLaws.class)
                .jvmOption("-Dthreadclock.it.threads=" + threads)
                .jvmOption("-Dthreadclock.it.atOnce=" + atOnce, "-Dthreadclock.it.pairs=" + pairs);
    }

    private static void assertRight(Program program) {
        program.arguments("areRight").passes();
    }

    private static String library(String name) {
        Path library = LIBRARIES.resolve(name);
        assumeTrue(Files.exists(library), library + " is not installed");
        return library.toString();
    }

    /** The program that comes with async-profiler's jar. */
    private static String profiler(String event) throws IOException {
        Path library = directory.resolve("libasyncProfiler.so");
        String resource =
                "/linux-" + (System.getProperty("os.arch").equals("amd64") ? "x64" : "arm64") + "/libasyncProfiler.so";
        if (!Files.exists(library)) {
            try (InputStream packed = HostileSurroundingsIT.class.getResourceAsStream(resource)) {
                Files.copy(packed, library);
            }
        }
        return "-agentpath:" + library + "=start,event=" + event + ",interval=1ms,file=/dev/null,collapsed";
    }

    private static void assumeRuns(List<String> starter) throws IOException, InterruptedException {
        List<String> command =
                Stream.concat(starter.stream(), Stream.of("true")).toList();
        boolean runs;
        try {
            runs = CCompiler.status(command) == 0;
        } catch (IOException missing) {
            runs = false;
        }
        assumeTrue(runs, String.join(" ", command) + " does not run here");
    }
}
