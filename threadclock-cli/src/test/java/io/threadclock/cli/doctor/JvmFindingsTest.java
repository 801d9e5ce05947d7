// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.DocumentedScreen;
import io.threadclock.cli.attach.StatusPages.VirtualThreads;
import io.threadclock.cli.process.CpuQuota;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

class JvmFindingsTest {
    private static final Examination HERE = Examination.parse(Examinations.LIKE_THIS);
    private static final ProcessLimits FILTERED = new ProcessLimits(1000, true, 0, 0, 2, CpuQuota.NONE);
    private static final long SECOND_NS = 1_000_000_000;
    private static final CpuQuota.Group GROUP = new CpuQuota.Group("/sys/fs/cgroup/shop", 1.5, 1000, 312);
    private static final Finding NO_ATTACHING = new Finding(
            Level.RED, "attaching", "attaching is disabled in it (-XX:+DisableAttachMechanism)", "Start it without.");

    private static final String RUNS_21 = UserTimeCallTest.PARSES_PROC.replace("jdk 17.0.15", "jdk 21.0.2");

    private String agent;
    private boolean isFromStart;
    private boolean isJvmtiFree;
    private Boolean isInUse;
    private VirtualThreads accounting;
    private boolean isAskedAtStart;
    private boolean writesArchive;
    private boolean haveKernelThreads;
    private Finding noAttaching;
    private boolean hasLibcRseq = true;
    private String probe = UserTimeCallTest.PARSES_PROC;
    private int threads = 40;
    private ThreadMXBeanAnswers answers;
    private JvmWaits waits = new JvmWaits(SECOND_NS, 990_000_000, 10_000_000, null, -1, -1);

    @Test
    void whatTheJdkDoesOnItsOwnIsRedAndTheAgentIsTheRemedy() {
        assertThat(of("user time", HERE))
                .returns(Level.RED, Finding::level)
                .returns("threadclock attach 77", Finding::remedy)
                .matches(finding -> finding.says().contains("parses /proc, 9,172 ns a call"));
        assertThat(of("tick trap", HERE).says()).contains("0 % to 200 %");
    }

    @Test
    void withTheAgentItIsNoMatter() {
        agent = "/lib/libthreadclock.so";
        assertThat(of("user time", HERE)).returns(Level.NONE, Finding::level).returns("", Finding::remedy);
    }

    @Test
    void withTheAgentACallCostsWhatTheAgentTakes() {
        agent = "/lib/libthreadclock.so";
        isInUse = true;
        assertThat(of("user time", HERE).says())
                .startsWith("now threadclock's: 9.55 ns a read (foreseen), and the call by JNI; its JDK's own: parses");
        assertThat(of("tick trap", HERE).says())
                .startsWith("none now; by its JDK's own, 300 us of user work reads as 0 %");
        answers = new ThreadMXBeanAnswers(true, "rseq", UserTimeCall.Way.FINE, 80);
        assertThat(of("user time", HERE).says()).startsWith("now threadclock's: 80 ns a call by JNI; its JDK's own: ");
        answers = new ThreadMXBeanAnswers(true, "ticks", UserTimeCall.Way.TICKS, 300);
        assertThat(of("tick trap", HERE).says()).startsWith("300 us");
        isInUse = false;
        answers = null;
        assertThat(of("user time", HERE).says()).startsWith("its JDK's own: ");
    }

    @Test
    void aLibraryThatIsLoadedNeedNotBeAttached() {
        agent = "/lib/libthreadclock.so";
        assertThat(of("agent", HERE))
                .returns(Level.YELLOW, Finding::level)
                .returns("threadclock doctor --ask 77", Finding::remedy);
        answers = new ThreadMXBeanAnswers(true, "rseq", UserTimeCall.Way.FINE, 80);
        assertThat(of("agent", HERE)).returns(Level.GREEN, Finding::level);
    }

    @Test
    void whatIsAttachedIsSeenFromOutside() {
        agent = "/lib/libthreadclock.so";
        isInUse = true;
        assertThat(of("agent", HERE)).returns(Level.GREEN, Finding::level).returns("", Finding::remedy);
        assertThat(of("agent", HERE).says())
                .isEqualTo("attached: its ThreadMXBean is threadclock's; /lib/libthreadclock.so");
        assertThat(of("user time", HERE).level()).isEqualTo(Level.NONE);
    }

    @Test
    void whatIsLoadedAndNotAttachedIsSeenFromOutside() {
        agent = "/lib/libthreadclock.so";
        isInUse = false;
        String says = "loaded, and not attached: its ThreadMXBean is the JDK's own";
        assertThat(of("agent", HERE)).isEqualTo(Finding.of(Level.NONE, "agent", says));
        assertThat(of("user time", HERE))
                .returns(Level.RED, Finding::level)
                .returns("threadclock attach 77", Finding::remedy);
        isFromStart = true;
        assertThat(of("agent", HERE).says()).as("detached since").isEqualTo(says);
    }

    @Test
    void anAgentFromTheStartSlowsVirtualThreadsSince21() {
        agent = "/lib/libthreadclock.so";
        isFromStart = true;
        assertThat(of("agent", HERE).level()).as("on 17").isEqualTo(Level.GREEN);
        probe = probe.replace("jdk 17.0.15", "jdk 21.0.2");
        assertThat(of("agent", HERE).level()).as("on 21").isEqualTo(Level.YELLOW);
        assertThat(of("agent", HERE).says()).contains("every switch of a virtual thread by some 165 to 350 ns");
        isJvmtiFree = true;
        assertThat(of("agent", HERE).level())
                .as("on 21, with -XX:-DoJVMTIVirtualThreadTransitions")
                .isEqualTo(Level.GREEN);
        isJvmtiFree = false;
        probe = probe.replace("jdk 21.0.2", "jdk 1.8.0_504");
        assertThat(of("agent", HERE).level()).as("on 8").isEqualTo(Level.GREEN);
    }

    @Test
    void virtualThreadsThatAreAccountedCostWhatTheJvmWasStartedFor() {
        probe = RUNS_21;
        agent = "/lib/libthreadclock.so";
        isInUse = true;
        accounting = VirtualThreads.ON;
        assertThat(of("virtual", HERE))
                .isEqualTo(new Finding(
                        Level.YELLOW,
                        "virtual",
                        "accounted by the agent's option virtual, if made since that was asked for;"
                                + " JVMTI slows each switch by some 165 to 350 ns",
                        "Start it by threadclock run --virtual."));
        isJvmtiFree = true;
        isAskedAtStart = true;
        assertThat(of("virtual", HERE))
                .isEqualTo(Finding.of(
                        Level.GREEN,
                        "virtual",
                        "accounted by the agent's option virtual, since its start; JVMTI does not slow them"));
    }

    @Test
    void whatMakesVirtualThreadsFreeOnOtherJdksIsNoRemedyOn24And25() {
        agent = "/lib/libthreadclock.so";
        isInUse = true;
        accounting = VirtualThreads.ON;
        probe = RUNS_21.replace("jdk 21.0.2", "jdk 25.0.3");
        assertThat(of("virtual", HERE)).returns(Level.YELLOW, Finding::level).returns("", Finding::remedy);
        isJvmtiFree = true;
        assertThat(of("virtual", HERE))
                .isEqualTo(new Finding(
                        Level.RED,
                        "virtual",
                        "on JDK 24 and 25 they can hang with -XX:-DoJVMTIVirtualThreadTransitions",
                        "Start it without -XX:-DoJVMTIVirtualThreadTransitions."));
    }

    @Test
    void virtualThreadsThatAreAccountedAreNoReasonToStartWithoutTheAgent() {
        probe = RUNS_21;
        agent = "/lib/libthreadclock.so";
        isInUse = true;
        isFromStart = true;
        accounting = VirtualThreads.ON;
        assertThat(of("agent", HERE)).returns(Level.GREEN, Finding::level).returns("", Finding::remedy);
    }

    @Test
    void virtualThreadsThatAreNotAccountedHaveAWayIn() {
        probe = RUNS_21;
        accounting = VirtualThreads.OFF;
        assertThat(of("virtual", HERE))
                .isEqualTo(new Finding(
                        Level.NONE,
                        "virtual",
                        "not accounted, except by the library's VirtualThreads",
                        "threadclock attach --virtual 77"));
        noAttaching = NO_ATTACHING;
        assertThat(of("virtual", HERE).remedy()).isEqualTo("Start it by threadclock run --virtual.");
    }

    @Test
    void virtualThreadsThatCannotBeAccountedAreYellow() {
        probe = RUNS_21;
        accounting = VirtualThreads.IMPOSSIBLE;
        String says = "not accounted, though that was asked for";
        assertThat(of("virtual", HERE))
                .isEqualTo(new Finding(
                        Level.YELLOW, "virtual", says, "Read why in the line of threadclock on its standard error."));
        writesArchive = true;
        assertThat(of("virtual", HERE).says()).isEqualTo(says + ": it is to write an archive of its classes");
    }

    @Test
    void olderLibrariesDoNotTellOfVirtualThreads() {
        probe = RUNS_21;
        agent = "/lib/libthreadclock.so";
        isInUse = true;
        assertThat(of("virtual", HERE))
                .isEqualTo(Finding.of(
                        Level.NONE,
                        "virtual",
                        "it is not known whether its agent accounts them: the library does not tell"));
    }

    @Test
    void jvmsWithoutVirtualThreadsSayThat() {
        accounting = VirtualThreads.IMPOSSIBLE;
        assertThat(of("virtual", HERE))
                .isEqualTo(Finding.of(Level.NONE, "virtual", "JDK 17 has no virtual threads; they came with JDK 21"));
        probe = RUNS_21;
        haveKernelThreads = true;
        assertThat(of("virtual", HERE).says()).startsWith("each has a thread of the kernel");
    }

    @Test
    void aJvmThatCannotBeAttachedToIsTold() {
        noAttaching = NO_ATTACHING;
        assertThat(of("attaching", HERE)).isEqualTo(NO_ATTACHING);
        assertThat(of("user time", HERE).remedy()).contains("-agentpath");
    }

    @Test
    void fewWaitsAreGreen() {
        assertThat(of("waits", HERE))
                .isEqualTo(Finding.of(
                        Level.GREEN,
                        "waits",
                        "its threads waited 1 % of the time in which they could run; 1 wanted a CPU at a time"));
    }

    @Test
    void waitsForAQuotaAreYellowAndItIsTheRemedy() {
        waits = new JvmWaits(SECOND_NS, 1_500_000_000, 330_000_000, GROUP, 10, 7);
        assertThat(of("waits", HERE))
                .returns(Level.YELLOW, Finding::level)
                .returns(
                        "its threads waited 18 % of the time in which they could run: quota 1.50 of 2 CPUs,"
                                + " throttled in 7 of 10 periods (312 so far); 1.83 wanted a CPU at a time",
                        Finding::says)
                .matches(finding -> finding.remedy().startsWith("Raise the quota of /sys/fs/cgroup/shop (cpu.max"));
    }

    @Test
    void whoElseHasTheCpusIsTheRemedyOfOtherWaits() {
        waits = new JvmWaits(SECOND_NS, 2_000_000_000, 6_000_000_000L, null, -1, -1);
        assertThat(of("waits", HERE).remedy()).isEqualTo("Let fewer threads run at once, or give it more than 2 CPUs.");
        waits = new JvmWaits(SECOND_NS, 500_000_000, 500_000_000, GROUP, 10, 0);
        assertThat(of("waits", HERE).remedy()).startsWith("Other programs use its CPUs");
    }

    @Test
    void waitsOfAJvmThatDoesNothingSayNothing() {
        waits = new JvmWaits(SECOND_NS, 1_000_000, 3_000_000, null, -1, -1);
        assertThat(of("waits", HERE))
                .isEqualTo(Finding.of(Level.GREEN, "waits", "its threads did next to nothing for a second"));
    }

    @Test
    void waitsThatAreNotKnownAreNotZero() {
        waits = null;
        assertThat(of("waits", HERE))
                .isEqualTo(Finding.of(Level.NONE, "waits", "it is not known how long its threads wait for a CPU"));
        Examination uncounted =
                Examination.parse(Examinations.LIKE_THIS.replaceAll("waits\t.*", "waits\tno-sched-info\tno"));
        assertThat(of("waits", uncounted)).returns(Level.YELLOW, Finding::level).matches(finding -> finding.remedy()
                .contains("CONFIG_SCHED_INFO"));
    }

    @Test
    void theSourceIsThatOfTheMachine() {
        assertThat(of("source", HERE).says()).startsWith("would be rseq (foreseen): 9.55 ns");
    }

    @Test
    void perfIsAsTheJvmIsConfined() {
        Examination noRseq =
                Examination.parse(Examinations.text("rseq", Examinations.RSEQ_REFUSED, Examinations.LIKE_THIS));
        assertThat(of("source", noRseq).says()).startsWith("would be perf");
        assertThat(of("source", noRseq, FILTERED, 2))
                .returns(Level.YELLOW, Finding::level)
                .returns("Let the container's seccomp filter allow perf_event_open.", Finding::remedy)
                .matches(finding ->
                        finding.says().startsWith("would be perf if its seccomp filter allows that, else clock"));
        assertThat(of("source", noRseq, Examinations.ofUser(0), 3))
                .returns(Level.RED, Finding::level)
                .returns("sysctl kernel.perf_event_paranoid=2", Finding::remedy);
    }

    @Test
    void moreThreadsThanPagesOfPerfAreRed() {
        Examination noRseq =
                Examination.parse(Examinations.text("rseq", Examinations.RSEQ_REFUSED, Examinations.LIKE_THIS));
        threads = 259;
        assertThat(of("source", noRseq)).returns(Level.RED, Finding::level).matches(finding -> finding.says()
                .contains("258"));
        threads = 258;
        assertThat(of("source", noRseq).level()).isEqualTo(Level.GREEN);
    }

    @Test
    void idsServeWhereLibcHasNoRseq() {
        assertThat(of("source", Examinations.withClockAlone(), FILTERED, 3).says())
                .startsWith("would be clock");
        hasLibcRseq = false;
        assertThat(of("source", Examinations.withClockAlone(), FILTERED, 3).says())
                .startsWith("would be ids");
    }

    @Test
    void whatItSaysItselfIsNotForeseen() {
        answers = new ThreadMXBeanAnswers(false, "clock", UserTimeCall.Way.PROC, 9000);
        assertThat(of("source", HERE).says()).startsWith("would be clock, as it says itself: 585 ns");
        answers = new ThreadMXBeanAnswers(true, "clock", UserTimeCall.Way.FINE, 600);
        assertThat(of("source", HERE))
                .returns("threadclock attach 77", Finding::remedy)
                .matches(finding -> finding.says().endsWith("told so"));
    }

    @Test
    void whereOnlyTheSystemCallIsLeftAJdkWithACheaperOneIsNamed() {
        assertThat(of("source", Examinations.withClockAlone()).says()).doesNotContain("slower");
        probe = UserTimeCallTest.RAW_TICKS.replaceAll("calls \\S+ \\S+", "calls 230 430");
        assertThat(of("source", Examinations.withClockAlone()).says())
                .contains("slower than its JDK's own user time, which is of raw ticks");
    }

    @Test
    void aJdkThatCouldNotBeTriedIsYellow() {
        probe = null;
        assertThat(of("user time", HERE)).returns(Level.YELLOW, Finding::level).matches(finding -> finding.says()
                .contains("why not"));
    }

    @Test
    void whatItAnswersItselfGoesBeforeWhatIsLoaded() {
        agent = "/lib/libthreadclock.so";
        answers = new ThreadMXBeanAnswers(false, "rseq", UserTimeCall.Way.PROC, 9000);
        assertThat(of("agent", HERE).says()).startsWith("loaded, and not attached");
        assertThat(of("user time", HERE).level()).isEqualTo(Level.RED);
        answers = new ThreadMXBeanAnswers(true, "rseq", UserTimeCall.Way.FINE, 80);
        assertThat(of("answers", HERE)).returns(Level.GREEN, Finding::level).matches(finding -> finding.says()
                .contains("threadclock answers"));
        assertThat(of("user time", HERE).level()).isEqualTo(Level.NONE);
    }

    @Test
    void aSourceForComparisonIsYellow() {
        agent = "/lib/libthreadclock.so";
        answers = new ThreadMXBeanAnswers(true, "ticks", UserTimeCall.Way.TICKS, 300);
        assertThat(of("answers", HERE).level()).isEqualTo(Level.YELLOW);
        assertThat(of("source", HERE).says()).startsWith("is ticks");
    }

    @Test
    void anAnswerIsANumberOfBits() {
        assertThat(ThreadMXBeanAnswers.isIn(1702887505)).isTrue();
        assertThat(ThreadMXBeanAnswers.of(1702887505))
                .isEqualTo(new ThreadMXBeanAnswers(true, "rseq", UserTimeCall.Way.FINE, 81));
        assertThat(ThreadMXBeanAnswers.of(1149251218))
                .isEqualTo(new ThreadMXBeanAnswers(false, "rseq", UserTimeCall.Way.PROC, 11922));
        assertThat(ThreadMXBeanAnswers.isIn(100)).as("an unknown option").isFalse();
        assertThat(ThreadMXBeanAnswers.isIn(-1)).isFalse();
    }

    @Test
    void theWorstFitsOnOneScreen() {
        probe = RUNS_21;
        noAttaching = NO_ATTACHING;
        accounting = VirtualThreads.IMPOSSIBLE;
        Examination examined = Examinations.withClockAlone();
        JvmFindings findings = findings(examined, FILTERED, 3);
        String text = new DiagnosisText(Ansi.OFF)
                .text(new Diagnosis(
                        findings.line(),
                        findings.machine(),
                        FILTERED,
                        examined,
                        findings.jvm(),
                        findings.all(),
                        "x".repeat(130)));
        assertThat(text.lines()).hasSizeLessThan(24);
    }

    @Test
    void theManualShowsItsScreens() throws IOException {
        MachineFacts machine = new MachineFacts("6.18.44", "x86_64", "AMD EPYC", true, 2, OptionalLong.of(2), 516);
        DiagnosisText screen = new DiagnosisText(Ansi.OFF);
        DocumentedScreen.check(
                "docs/cli.md", "machine", screen.text(Diagnosis.ofMachine(machine, Examinations.ofUser(0), HERE)));
        DocumentedScreen.check(
                "docs/cli.md",
                "jvm",
                screen.text(Diagnosis.ofJvm(
                        machine, HERE, findings(HERE, Examinations.ofUser(0), 2).jvm())));
    }

    @Test
    void theManualHasEveryRow() throws IOException {
        answers = new ThreadMXBeanAnswers(true, "rseq", UserTimeCall.Way.FINE, 80);
        JvmFindings findings = findings(HERE, FILTERED, 2);
        List<Finding> all = new ArrayList<>(findings.all());
        all.addAll(new MachineFindings(findings.machine(), FILTERED, HERE).all());
        String manual = Files.readString(Path.of(System.getProperty("threadclock.home", ".."), "docs/cli.md"));
        List<String> rows = manual.lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("[|]")[1])
                .toList();
        assertThat(all).allSatisfy(finding -> assertThat(rows)
                .as(finding.subject())
                .anyMatch(row -> row.contains("`" + finding.subject() + "`")));
    }

    private Finding of(String subject, Examination examined) {
        return of(subject, examined, Examinations.ofUser(0), 2);
    }

    private Finding of(String subject, Examination examined, ProcessLimits confines, int paranoid) {
        List<Finding> findings = findings(examined, confines, paranoid).all();
        return findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow();
    }

    private JvmFindings findings(Examination examined, ProcessLimits confines, int paranoid) {
        UserTimeCall call = probe == null ? null : UserTimeCall.parse(probe, examined.tickNs());
        MachineFacts machine = Examinations.machine(paranoid);
        ExpectedSource foreseen = ExpectedSource.of(machine, examined, Examinations.ofUser(0), confines, hasLibcRseq);
        String noCall = call == null ? "why not" : null;
        JvmFacts facts = new JvmFacts(
                77,
                "/jdk",
                threads,
                agent,
                isFromStart,
                isJvmtiFree,
                isInUse,
                new VirtualThreadFacts(0, accounting, isAskedAtStart, writesArchive, haveKernelThreads),
                noAttaching,
                hasLibcRseq,
                foreseen,
                confines,
                waits,
                call,
                noCall,
                answers);
        return new JvmFindings(machine, examined, facts);
    }
}
