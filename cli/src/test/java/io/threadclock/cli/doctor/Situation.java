// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static io.threadclock.cli.doctor.Examinations.text;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.stream.Collectors.toMap;

import io.threadclock.CpuQuota;
import io.threadclock.cli.attach.StatusPages.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;

/**
 * A machine and a JVM that are made up, by words that say how they differ from a sound machine and a JVM of JDK 17
 * without the agent. A word is {@code name} or {@code name=value}.
 */
final class Situation {
    private static final String LIBRARY = "/lib/libthreadclock.so";
    private static final CpuQuota.Group GROUP = new CpuQuota.Group("/sys/fs/cgroup/shop", 1.5, 1000, 312, -1);
    private static final Finding NO_ATTACHING = new Finding(
            Level.RED, "attaching", "attaching is disabled in it (-XX:+DisableAttachMechanism)", "Start it without.");

    private final Map<String, String> given;

    Situation(String words) {
        given = Stream.of(words.replace("clock-alone", "no-rseq no-perf no-ids chosen=clock")
                        .split(" "))
                .collect(toMap(word -> word.replaceFirst("=.*", ""), word -> word.replaceFirst(".*=", "")));
    }

    private boolean is(String name) {
        return given.containsKey(name);
    }

    private int number(String name, int usual) {
        return Integer.parseInt(given.getOrDefault(name, "" + usual));
    }

    MachineFacts machine() {
        return Examinations.machine(number("paranoid", 2));
    }

    Examination examined() {
        String text = Examinations.LIKE_THIS.replace("source rseq", "source " + given.getOrDefault("chosen", "rseq"));
        text = is("no-rseq") ? text("rseq", Examinations.RSEQ_REFUSED, text) : text;
        text = is("no-perf") ? text("perf", Examinations.PERF_REFUSED, text) : text;
        text = is("no-ids") ? text("ids", Examinations.IDS_REFUSED, text) : text;
        text = is("no-waits") ? text("waits", "the kernel counts no run-queue delay", text) : text;
        if (is("no-counter")) {
            String slow = "the time-stamp counter takes 900 ns, the system call 300 ns";
            text = text("rseq", slow, text("perf", slow, text));
        }
        return Examinations.of(text, is("no-tick") ? 0 : is("two-ticks") ? 7_999_999 : 3_999_999);
    }

    ProcessLimits limits() {
        if (is("root")) {
            return Examinations.ofRoot();
        }
        return new ProcessLimits(1000, is("filtered"), 0, (long) number("lockable-mib", 0) << 20, 2, CpuQuota.NONE);
    }

    JvmFacts jvm() {
        int feature = number("jdk", 17);
        boolean hasLibcRseq = !is("no-libc-rseq");
        String measuring = given.get("virtual");
        return new JvmFacts(
                77,
                "/jdk",
                number("threads", 40),
                is("loaded") ? LIBRARY : null,
                is("from-start"),
                is("jvmti-free"),
                is("used") || is("unused") ? (Boolean) is("used") : null,
                new VirtualThreadFacts(
                        feature,
                        given.get("version"),
                        measuring == null ? null : VirtualThreads.valueOf(measuring),
                        is("asked-at-start"),
                        is("writes-archive"),
                        is("kernel-threads")),
                is("no-attaching") ? NO_ATTACHING : null,
                ExpectedSource.of(machine(), examined(), Examinations.ofUser(0), limits(), hasLibcRseq),
                limits(),
                waits(),
                feature == 0 ? null : UserTimeCall.of(feature, examined()),
                given.get("says"));
    }

    /** {@code waits=CPU,WAITING}, in ms of a second; or with the throttled ones of 10 periods. */
    private JvmWaits waits() {
        if (is("unwatched")) {
            return null;
        }
        String[] part = given.getOrDefault("waits", "990,10").split(",");
        long[] ns = Stream.of(part)
                .mapToLong(ms -> MILLISECONDS.toNanos(Long.parseLong(ms)))
                .toArray();
        return part.length == 2
                ? new JvmWaits(MILLISECONDS.toNanos(1000), ns[0], ns[1], null, -1, -1)
                : new JvmWaits(MILLISECONDS.toNanos(1000), ns[0], ns[1], GROUP, 10, Long.parseLong(part[2]));
    }

    Diagnosis ofMachine() {
        return Diagnosis.ofMachine(machine(), limits(), examined());
    }

    Diagnosis ofJvm() {
        return Diagnosis.ofJvm(machine(), examined(), jvm());
    }

    /** The rows of these subjects as a screen shows them; {@code all}: all rows. */
    String rows(List<String> subjects) {
        Diagnosis whole = is("machine") ? ofMachine() : ofJvm();
        List<Finding> shown = new ArrayList<>(whole.findings());
        shown.removeIf(finding -> !subjects.contains("all") && !subjects.contains(finding.subject()));
        return new DiagnosisText(Ansi.OFF)
                .text(new Diagnosis("", machine(), limits(), examined(), null, shown, ""))
                .strip();
    }
}
