// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.EchoProbe;
import io.threadclock.it.probe.LateBeanProbe;
import io.threadclock.it.probe.PlainProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class AgentLoadingIT {
    private static final int FIRST_WITH_ARCHIVES = 13;
    /** A JDK of links. Where these two files are, the launcher and the JVM take it to be. */
    private static final String LINKED = "cp -as $0 $1 && find $1 -type l \\( -name java -o -name libjvm.so \\)"
            + " -exec sh -c 'cp --remove-destination $(readlink -f $0) $0' {} \\;";

    @TempDir
    static Path directory;

    private static AgentLibrary copy;

    @BeforeAll
    static void copyTheLibrary() throws IOException {
        copy = new AgentLibrary(Files.copy(Program.LIBRARY.path(), directory.resolve("other-name.so")));
    }

    @OnEachJdkAndTheOldest
    void saysNothingAndChangesNothingButTheTimes(Jdk jdk) {
        Outcome with = Program.withAgent(jdk, PlainProbe.class).outcome();
        Outcome without = Program.stock(jdk, PlainProbe.class).outcome();
        assertThat(with.exitStatus()).as("exit status").isEqualTo(PlainProbe.STATUS);
        assertThat(with.result().stderr())
                .as("standard error")
                .isEqualTo(without.result().stderr());
    }

    @OnEachJdkAndTheOldest
    void takesUserTimeFromItsOwnClock(Jdk jdk) {
        String stock =
                Program.stock(jdk, PlainProbe.class).facts(PlainProbe.STATUS).text("userTimeMovesInTicks");
        String agent = Program.withAgent(jdk, PlainProbe.class)
                .facts(PlainProbe.STATUS)
                .text("userTimeMovesInTicks");
        assertThat(stock).as("user time moves in ticks on the stock JDK").isEqualTo("true");
        assertThat(agent).as("user time moves in ticks with the agent").isEqualTo("false");
    }

    @OnEachJdkAndTheOldest
    void takesUserTimeFromItsOwnClockWhenItIsAttached(Jdk jdk) {
        Program attached = Presence.ATTACHED.of(Program.stock(jdk, PlainProbe.class));
        assertThat(attached.facts(PlainProbe.STATUS).text("userTimeMovesInTicks"))
                .as("user time moves in ticks with the agent")
                .isEqualTo("false");
    }

    @OnOldestAndNewestJdk
    void touchesNoClassWhoseLibraryIsAwayWithTheJdk(Jdk jdk) throws Exception {
        Path place = directory.resolve("jdk" + jdk.feature());
        Path jre = jdk.home().resolve("jre");
        Path home = Files.exists(jre) ? jre : jdk.home();
        CCompiler.status(List.of("sh", "-c", LINKED, home.toString(), place.toString()));
        Jdk linked = new Jdk(place, jdk.version(), jdk.vendor());
        try (WaitingJvm jvm = new WaitingJvm(linked, LateBeanProbe.class)) {
            Path away = Files.move(place, directory.resolve("away" + jdk.feature()));
            assertThat(CommandLineTool.refused(Program.LIBRARY.path(), "attach", jvm.pid()))
                    .contains("its JDK is not where it was, or another one is there");
            Files.move(away, place);
            assertThat(jvm.end().exitStatus()).as("its classes work").isEqualTo(EchoProbe.STATUS);
        } finally {
            CCompiler.status(List.of("rm", "-rf", place.toString())); // JUnit warns of each link
        }
    }

    @OnEachJdk
    void aSecondTimeFromTheSamePathIsOneLine(Jdk jdk) {
        Outcome twice = Program.withAgent(jdk, PlainProbe.class).agent("").outcome();
        assertThat(twice.agentLines()).singleElement().asString().contains("loaded already", "Give it once");
        assertItGoesOnAsLoadedOnce(twice);
    }

    @OnEachJdk
    void aSecondCopyFromAnotherPathIsOneLineThatNamesTheFirst(Jdk jdk) {
        Outcome twice = Program.withAgent(jdk, PlainProbe.class)
                .jvmOption(copy.jvmOption(""))
                .outcome();
        assertThat(twice.agentLines())
                .singleElement()
                .asString()
                .startsWith("threadclock: another copy ")
                .contains(Program.LIBRARY.path().toString());
        assertItGoesOnAsLoadedOnce(twice);
    }

    @OnEachJdk
    void aSecondCopysOptionsChangeNothing(Jdk jdk) {
        Outcome twice = Program.stock(jdk, PlainProbe.class)
                .agent("source=clock,stats")
                .jvmOption(copy.jvmOption("source=proc,stats"))
                .outcome();
        assertThat(twice.agentLines())
                .filteredOn(line -> line.startsWith("threadclock: source "))
                .containsExactly("threadclock: source clock");
        assertItGoesOnAsLoadedOnce(twice);
    }

    /** This is the JVM's own rule, before it loads the agent; docs/troubleshooting.md quotes it. */
    @OnOldestAndNewestJdk
    void aJvmThatIsToWriteAnArchiveStartsWithoutNativeAgentsAlone(Jdk jdk) {
        Assumptions.assumeTrue(jdk.feature() >= FIRST_WITH_ARCHIVES, "-XX:ArchiveClassesAtExit (JDK 13)");
        Outcome outcome = Program.withAgent(jdk, PlainProbe.class)
                .jvmOption("-XX:ArchiveClassesAtExit=" + directory.resolve("refused.jsa"))
                .outcome();
        assertThat(outcome.exitStatus()).as("exit status").isEqualTo(1);
        assertThat(outcome.text())
                .containsAnyOf(
                        "CDS dumping does not support native JVMTI agent",
                        "JVMTI agents are not allowed when dumping CDS archives");
    }

    private static void assertItGoesOnAsLoadedOnce(Outcome twice) {
        Outcome once =
                Program.withAgent(twice.program().jdk(), PlainProbe.class).outcome();
        assertThat(twice.exitStatus()).as("exit status").isEqualTo(PlainProbe.STATUS);
        assertThat(twice.stdout()).as("standard output").isEqualTo(once.stdout());
    }
}
