// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineFindingsTest {
    private static final String SYSCTL = "sysctl kernel.perf_event_paranoid=2";

    @Test
    void aMachineThatHasAllIsGreen() {
        assertThat(findings(2, Examinations.ofRoot(), Examination.parse(Examinations.LIKE_THIS)))
                .allMatch(finding ->
                        finding.level() == Level.GREEN || finding.subject().equals("ids"))
                .allMatch(finding -> finding.remedy().isEmpty());
    }

    @Test
    void whatWouldSaveASystemCallIsRedAndHasARemedy() {
        List<Finding> findings = findings(3, Examinations.ofUser(0), Examinations.withClockAlone());
        assertThat(of(findings, "perf")).returns(Level.RED, Finding::level).returns(SYSCTL, Finding::remedy);
        assertThat(of(findings, "ids").level()).isEqualTo(Level.RED);
        assertThat(of(findings, "ids").remedy()).contains("--without-libc-rseq");
        assertThat(of(findings, "rseq")).as("which nothing can help").returns(Level.NONE, Finding::level);
        assertThat(of(findings, "clock").says()).startsWith("used: ");
    }

    @Test
    void aFilterIsToBlameWhereTheSettingAllows() {
        List<Finding> findings = findings(2, Examinations.ofUser(0), Examinations.withClockAlone());
        assertThat(of(findings, "perf").remedy()).contains("seccomp").doesNotContain("sysctl");
    }

    @Test
    void whatRootAloneMayIsYellow() {
        Examination examined = Examination.parse(Examinations.LIKE_THIS);
        assertThat(of(findings(3, Examinations.ofRoot(), examined), "perf"))
                .returns(Level.YELLOW, Finding::level)
                .returns(SYSCTL, Finding::remedy);
    }

    @Test
    void thePagesOfPerfAreCounted() {
        Examination examined = Examination.parse(Examinations.LIKE_THIS);
        assertThat(of(findings(2, Examinations.ofUser(0), examined), "perf").says())
                .contains("room for 258 threads");
        assertThat(of(findings(2, Examinations.ofUser(8 << 20), examined), "perf")
                        .says())
                .contains("room for 2,306 threads");
        assertThat(of(findings(2, Examinations.ofRoot(), examined), "perf").says())
                .contains("room for all threads");
    }

    @Test
    void fewPagesMatterIfTheyAreUsed() {
        Examination examined =
                Examination.parse(Examinations.text("rseq", Examinations.RSEQ_REFUSED, Examinations.LIKE_THIS)
                        .replace("chosen\trseq", "chosen\tperf"));
        assertThat(of(findings(2, Examinations.ofUser(0), examined), "perf"))
                .returns(Level.YELLOW, Finding::level)
                .matches(finding -> finding.remedy().contains("perf_event_mlock_kb"));
        assertThat(of(findings(2, Examinations.ofUser(8 << 20), examined), "perf")
                        .level())
                .isEqualTo(Level.GREEN);
    }

    @Test
    void withoutACounterNothingElseIsRed() {
        String text = Examinations.LIKE_THIS.replaceAll(
                "counter\t.*",
                "counter\tcounter-slow\t0\t0\tthe time-stamp counter takes 900 ns, the system call 300 ns");
        String refused = "counter-slow\t0\tthe time-stamp counter takes 900 ns, the system call 300 ns";
        Examination examined =
                Examination.parse(Examinations.text("rseq", refused, Examinations.text("perf", refused, text))
                        .replace("chosen\trseq", "chosen\tclock"));
        assertThat(findings(2, Examinations.ofRoot(), examined).stream()
                        .filter(finding -> finding.level() == Level.RED))
                .singleElement()
                .returns("counter", Finding::subject)
                .matches(finding -> !finding.remedy().isEmpty());
    }

    @Test
    void aTickThatNobodySawIsYellow() {
        Examination examined = Examination.parse(Examinations.LIKE_THIS.replace("3999999", "0"));
        assertThat(of(findings(2, Examinations.ofRoot(), examined), "kernel"))
                .returns(Level.YELLOW, Finding::level)
                .matches(finding -> finding.says().startsWith("HZ=250, but no tick"));
    }

    @Test
    void waitsThatTheKernelDoesNotCountAreYellow() {
        String refused = "the kernel counts no run-queue delay (CONFIG_SCHED_INFO)";
        Examination examined =
                Examination.parse(Examinations.LIKE_THIS.replaceAll("waits\t.*", "waits\tno-sched-info\t" + refused));
        assertThat(of(findings(2, Examinations.ofRoot(), examined), "waits"))
                .returns(Level.YELLOW, Finding::level)
                .returns(refused, Finding::says)
                .matches(finding -> finding.remedy().contains("CONFIG_SCHED_INFO"));
    }

    private static List<Finding> findings(int paranoid, ProcessLimits confines, Examination examined) {
        return new MachineFindings(Examinations.machine(paranoid), confines, examined).all();
    }

    private static Finding of(List<Finding> findings, String subject) {
        return findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow();
    }
}
