// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.LibraryProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Tests how the Java library finds its shared object. */
class LibraryLoadingIT {
    private static final String ANOTHER_LOADER = "another-loader";

    /** Mounts over its first argument, and then becomes the JVM that follows. */
    private static final String NOEXEC_MOUNT =
            "mount -t tmpfs -o noexec,size=8m threadclock \"$0\" && { test $# = 0 || exec \"$@\"; }";

    @OnEachJdk
    void takesItFromTheJarAndLeavesNothingBehind(Jdk jdk, @TempDir Path scratch) throws IOException {
        assertReads(stock(jdk).jvmOption("-Djava.io.tmpdir=" + scratch).facts(), 1);
        assertEmpty(scratch);
    }

    @OnEachJdk
    void usesTheCopyThatIsTheAgent(Jdk jdk) {
        assertReads(stock(jdk).agent("").facts(), 1);
    }

    @Tag("long")
    @OnEachJdk
    void goesOnWhereTheCopyInTheProcessIsOfAnotherVersion(Jdk jdk, @TempDir Path scratch) throws Exception {
        Path without = StubAgent.compiledIn(scratch);
        assertReads(stock(jdk).environment("LD_PRELOAD", without.toString()).facts(), 2);
    }

    @Tag("long")
    @OnEachJdk
    void leavesAnAgentOfAnotherVersionAlone(Jdk jdk) {
        assertReads(
                stock(jdk)
                        .jvmOption("-agentpath:" + CopyOfLibrary.ofAnotherVersion())
                        .facts(),
                2);
    }

    @Tag("long")
    @OnEachJdk
    void refusesAFileOfAnotherVersion(Jdk jdk) {
        Path other = CopyOfLibrary.ofAnotherVersion();
        assertRefusal(stock(jdk).jvmOption("-Dthreadclock.library=" + other), 1, other.toString(), "another version");
    }

    @OnEachJdk
    void saysThatNativeAccessIsDenied(Jdk jdk) {
        assumeTrue(jdk.feature() >= 24, jdk + " denies native access to nobody");
        assertRefusal(stock(jdk).jvmOption("--illegal-native-access=deny"), 1, "native access");
    }

    @OnEachJdk
    void bindsByForeignFunctionsWhereThatGivesNoFurtherWarning(Jdk jdk) {
        String allowed = jdk.feature() >= 22 && Binding.isInTheJar() ? "FFM" : "JNI";
        String notAllowed = jdk.feature() >= 24 ? allowed : "JNI"; // from 24 on, loading the library already warns
        assertThat(stock(jdk).nativeAccess().facts().text("binding")).isEqualTo(allowed);
        assertThat(stock(jdk).facts().text("binding")).isEqualTo(notAllowed);
    }

    @OnEachJdk
    void saysThatItKnowsNoSuchBinding(Jdk jdk) {
        assumeTrue(jdk.feature() >= 22 && Binding.isInTheJar(), jdk + " has no choice");
        assertThat(stock(jdk)
                        .nativeAccess()
                        .jvmOption("-Dthreadclock.binding=fmm")
                        .facts()
                        .text("explanation"))
                .contains("binding FFM", "neither jni nor ffm: fmm");
    }

    @OnEachJdk
    void loadsTheFileThatIsNamed(Jdk jdk) {
        assertReads(inNowhere(jdk).jvmOption(named()).facts(), 1);
    }

    @Tag("long")
    @OnEachJdk
    void copiesToTheDirectoryThatAVariableNames(Jdk jdk, @TempDir Path scratch) throws IOException {
        assertReads(
                inNowhere(jdk)
                        .environment("THREADCLOCK_LIBRARY_DIR", scratch.toString())
                        .facts(),
                1);
        assertEmpty(scratch);
    }

    @Tag("long")
    @OnEachJdk
    void prefersTheDirectoryThatAPropertyNames(Jdk jdk, @TempDir Path scratch) {
        Program program = stock(jdk)
                .environment("THREADCLOCK_LIBRARY_DIR", "/nowhere")
                .jvmOption("-Dthreadclock.library.dir=" + scratch);
        assertReads(program.facts(), 1);
    }

    @OnEachJdk
    void saysAllThatItTried(Jdk jdk) {
        assertRefusal(inNowhere(jdk), 1, "/nowhere", "-Dthreadclock.library.dir", "THREADCLOCK_LIBRARY_DIR");
    }

    @OnEachJdk
    void takesNothingInsteadOfAFileThatIsNamed(Jdk jdk) {
        assertRefusal(stock(jdk).jvmOption("-Dthreadclock.library=/nowhere/lib.so"), 1, "/nowhere/lib.so");
    }

    @OnEachJdk
    void refusesAFileThatTheLocaleCannotName(Jdk jdk) {
        Program program = stock(jdk).environment("LC_ALL", "C").jvmOption("-Dthreadclock.library=/nowhere/\u00fc.so");
        assertRefusal(program, 1, "/nowhere/");
    }

    @Tag("long")
    @OnEachJdk
    void explainsADirectoryThatForbidsExecution(Jdk jdk, @TempDir Path scratch) throws Exception {
        List<String> mounted = List.of("unshare", "-m", "sh", "-c", NOEXEC_MOUNT, scratch.toString());
        int status = new ProcessBuilder(mounted).start().waitFor();
        assumeTrue(status == 0, "this user may not mount by unshare(1)");
        Program program =
                stock(jdk).jvmOption("-Dthreadclock.library.dir=" + scratch).startedBy(mounted);
        assertRefusal(program, 1, scratch.toString(), "failed to map segment", "noexec");
    }

    @Tag("long")
    @OnEachJdk
    void isANamedModuleOfWhichNoJdkWarns(Jdk jdk, @TempDir Path scratch) {
        assumeTrue(jdk.feature() >= 9, jdk + " has no modules");
        String jar = Binding.jar().toString();
        Program program = stock(jdk).libraries(scratch).jvmOption("-p", jar, "--add-modules", "io.threadclock");
        Program allowed = jdk.feature() >= 24 ? program.jvmOption("--enable-native-access=io.threadclock") : program;
        assertReads(allowed.facts(), 1);
        assertThat(allowed.outcome().otherLines()).as("lines on standard error").isEmpty();
    }

    @OnEachJdk
    void refusesAnotherProcessor(Jdk jdk) {
        assertRefusal(stock(jdk).jvmOption("-Dos.arch=s390x"), 0, "Linux on s390x", "x86_64 or aarch64");
    }

    @Tag("long")
    @OnEachJdk
    void copiesTheJarsForEachClassLoader(Jdk jdk) {
        assertBothRead(Program.stock(jdk, LibraryProbe.class, ANOTHER_LOADER));
    }

    @Tag("long")
    @OnEachJdk
    void copiesTheNamedFileForASecondClassLoader(Jdk jdk) {
        assertBothRead(Program.stock(jdk, LibraryProbe.class, ANOTHER_LOADER).jvmOption(named()));
    }

    @OnEachJdk
    void copiesTheAgentForASecondClassLoader(Jdk jdk) {
        assertBothRead(Program.stock(jdk, LibraryProbe.class, ANOTHER_LOADER).agent(""));
    }

    private static Program stock(Jdk jdk) {
        return Program.stock(jdk, LibraryProbe.class);
    }

    private static Program inNowhere(Jdk jdk) {
        return stock(jdk).jvmOption("-Djava.io.tmpdir=/nowhere");
    }

    private static String named() {
        return "-Dthreadclock.library=" + Program.LIBRARY.path();
    }

    private static void assertReads(Facts facts, int copies) {
        assertThat(facts.text("cpu"))
                .as("what a reading answers: %s", facts.text("explanation"))
                .isEqualTo("time");
        assertThat(facts.text("counted")).as("what its counts have").isEqualTo("resyncs");
        assertThat(facts.number("copies"))
                .as("copies of the library in the process")
                .isEqualTo(copies);
    }

    private static void assertBothRead(Program program) {
        Facts facts = program.facts();
        assertReads(facts, 1);
        assertThat(facts.text("second.isAnother"))
                .as("the second loader has a class of its own")
                .isEqualTo("true");
        assertThat(facts.text("second.cpu"))
                .as("what the second loader's reads: %s", facts.text("second.explanation"))
                .isEqualTo("time");
        assertThat(facts.number("second.copies"))
                .as("copies of the library in the process")
                .isEqualTo(2);
    }

    @Tag("long")
    @OnEachJdk
    void refusesWhereNothingStandsIn(Jdk jdk) {
        assumeTrue(jdk.feature() >= 9, jdk + " has no modules");
        Program program = stock(jdk).jvmOption("-Dos.arch=s390x", "--limit-modules", "java.base");
        Facts facts = program.facts();
        assertRefused(facts, 0, "Linux on s390x", "java.management", "ThreadClock.canRead()");
        assertThat(facts.text("watch")).as("what a stopwatch tells").isEqualTo("-1");
        facts.check("watch.measured", false, "isMeasured()");
    }

    /** The refusal says what was tried and what to do. */
    private static void assertRefusal(Program program, int attempts, String... words) {
        Facts facts = program.jvmOption("-Dthreadclock.strict=true").facts();
        assertRefused(facts, attempts, words);
        assertThat(facts.text("refusal")).contains("threadclock.strict", "ThreadClock.canRead()");
        assertThat(facts.text("watch")).as("what a stopwatch answers").isEqualTo(facts.text("cpu"));
    }

    private static void assertRefused(Facts facts, int attempts, String... words) {
        String exception = "io.threadclock.ClockUnavailableException";
        assertThat(facts.text("supported")).as("whether it is supported").isEqualTo("false");
        assertThat(facts.text("cpu")).as("what a reading answers").isEqualTo(exception);
        assertThat(facts.text("holder")).as("what a holder answers").isEqualTo(exception);
        assertThat(facts.text("refusal")).as("the message").contains(words).isEqualTo(facts.text("explanation"));
        assertThat(facts.number("attempts"))
                .as("suppressed exceptions, one an attempt")
                .isEqualTo(attempts);
    }

    private static void assertEmpty(Path directory) throws IOException {
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).as("what is left in %s", directory).isEmpty();
        }
    }
}
