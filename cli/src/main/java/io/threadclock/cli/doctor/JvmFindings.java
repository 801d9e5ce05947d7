// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.attach.SourceNames;
import io.threadclock.cli.attach.StatusPages;
import io.threadclock.cli.process.JvmtiPrice;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Findings on what a JVM's readings cost, how far they can be trusted, and what would improve them. */
public record JvmFindings(MachineFacts machine, Examination examined, JvmFacts jvm) {
    private static final String USER_TIME = "user time";
    private static final String SOURCE = "source";
    private static final String WAITS = "waits";
    /** Below this many threads at a time, how they wait says nothing. */
    private static final double IDLE = 0.01;

    private static final double MUCH_WAITING = 0.05;
    private static final double PERCENT = 100;
    /** Sources that read as the JDK does. */
    private static final List<String> COMPARISON = List.of(SourceNames.PROC, SourceNames.TICKS);

    /** All findings, from the agent to the limits, then those that all processes of the machine share. */
    public List<Finding> all() {
        List<Finding> findings = new ArrayList<>(List.of(agent()));
        findings.addAll(ownCall());
        findings.add(sourceInUse());
        VirtualThreadsFinding virtual = new VirtualThreadsFinding(jvm, feature(), isServed());
        findings.add(virtual.finding());
        virtual.lostWakeUps().ifPresent(findings::add);
        findings.add(attaching());
        findings.add(waits());
        findings.add(Finding.of(Level.GREEN, "limits", jvm.confines().words(machine)));
        findings.addAll(new MachineFindings(machine, jvm.confines(), examined).base());
        return findings;
    }

    /** The line for the title. */
    public String line() {
        String version = feature() == 0 ? jvm.home() : "JDK " + feature() + " at " + jvm.home();
        return "process " + jvm.pid() + ": " + version + ", " + FigureFormat.count(jvm.threads())
                + (jvm.threads() == 1 ? " thread" : " threads") + "; on " + machine.line();
    }

    /** Whether threadclock answers in place of the JDK. If nothing tells, a loaded library counts as one in use. */
    private boolean isServed() {
        return jvm.isInUse() == null ? jvm.agent() != null : jvm.isInUse();
    }

    private Finding agent() {
        if (jvm.agent() == null) {
            return Finding.of(Level.NONE, "agent", "not in it: its ThreadMXBean is the JDK's own");
        }
        if (!isServed()) {
            return Finding.of(Level.NONE, "agent", "loaded, and not attached: its ThreadMXBean is the JDK's own");
        }
        if (jvm.isFromStart()) {
            return slowsVirtualThreads()
                    ? new Finding(
                            Level.YELLOW,
                            "agent",
                            "in it from the start, which slows down every switch of a virtual thread by "
                                    + JvmtiPrice.OF_A_SWITCH,
                            "With virtual threads: start without -agentpath, and attach.")
                    : Finding.of(Level.GREEN, "agent", "in it from the start: its ThreadMXBean is threadclock's");
        }
        if (jvm.isInUse() == null) {
            return Finding.of(
                    Level.YELLOW,
                    "agent",
                    "loaded: " + jvm.agent() + "; it is of a version that does not tell whether it is attached");
        }
        String says = "attached: its ThreadMXBean is threadclock's; " + jvm.agent();
        return Finding.of(Level.GREEN, "agent", says);
    }

    /** The row of virtual threads says it if they are measured. */
    private boolean slowsVirtualThreads() {
        return !jvm.isJvmtiFree()
                && jvm.virtualThreads().measuring() != StatusPages.VirtualThreads.ON
                && feature() >= VirtualThreadsFinding.FIRST_JDK;
    }

    /** The feature release of its JDK; 0: not known. */
    private int feature() {
        return jvm.virtualThreads().feature();
    }

    private List<Finding> ownCall() {
        UserTimeCall call = jvm.ownCall();
        if (call == null) {
            String says = now() + "how its JDK's own is read is not known: the JVM does not tell its version";
            return List.of(Finding.of(isServed() ? Level.NONE : Level.YELLOW, USER_TIME, says));
        }
        if (call.userCallNs() == 0) {
            return List.of(judged(USER_TIME, now() + "its JDK's own: " + call.way()));
        }
        String says = now() + "its JDK's own: " + call.way() + ", " + call.cost()
                + " a call as measured here, in steps of " + steps(call.stepNs()) + "; CPU time "
                + FigureFormat.ns(call.cpuCallNs());
        return List.of(judged(USER_TIME, says), trap(call));
    }

    /** The cost of what answers in place of the JDK's own call; empty if nothing does, or nobody knows. */
    private String now() {
        if (!isServed() || jvm.isInUse() == null) {
            return "";
        }
        double readNs = examined.source(source()).readNs();
        String foreseen = jvm.source() == null ? " (foreseen)" : "";
        return "now threadclock's" + (readNs > 0 ? ": " + FigureFormat.ns(readNs) + " a read" + foreseen : "") + "; ";
    }

    /** The source of which it says itself that it is in use; else the one that is foreseen. */
    private String source() {
        return jvm.source() == null ? jvm.foreseen().first() : jvm.source();
    }

    private static String steps(long ns) {
        return ns >= 1_000_000 ? FigureFormat.of(ns / 1e6) + " ms" : FigureFormat.ns(ns);
    }

    /** Two readings of a clock that moves by steps differ by none of them, or by a whole one. */
    private Finding trap(UserTimeCall call) {
        boolean isGone = !now().isEmpty() && !COMPARISON.contains(source());
        return judged(
                "tick trap",
                (isGone ? "none now; by its JDK's own, " : "") + "300 us of user work reads as 0 or as "
                        + steps(call.stepNs()));
    }

    /** The JDK's own call is red, unless something else answers in its place. */
    private Finding judged(String subject, String says) {
        if (isServed()) {
            return Finding.of(Level.NONE, subject, says);
        }
        String remedy = jvm.noAttaching() == null
                ? "threadclock attach " + jvm.pid()
                : "Start it with -agentpath:libthreadclock.so.";
        return new Finding(Level.RED, subject, says, remedy);
    }

    private static String percent(double share) {
        return FigureFormat.count(Math.round(share * PERCENT)) + " %";
    }

    private Finding waits() {
        JvmWaits waits = jvm.waits();
        if (waits == null) {
            String remedy = examined.waits().remedy();
            return new Finding(
                    remedy.isEmpty() ? Level.NONE : Level.YELLOW,
                    WAITS,
                    "it is not known how long its threads wait for a CPU",
                    remedy);
        }
        if (waits.wanted() < IDLE) {
            return Finding.of(Level.GREEN, WAITS, "its threads did next to nothing for a second" + quota(waits));
        }
        String says = "its threads waited " + percent(waits.waitingRatio()) + " of the time in which they could run"
                + quota(waits) + "; " + FigureFormat.of(waits.wanted()) + " wanted a CPU at a time";
        return waits.waitingRatio() < MUCH_WAITING
                ? Finding.of(Level.GREEN, WAITS, says)
                : new Finding(Level.YELLOW, WAITS, says, moreCpus(waits));
    }

    private String quota(JvmWaits waits) {
        if (waits.group() == null) {
            return "";
        }
        String throttled = waits.throttledPeriods() < 0
                ? ""
                : ", throttled in " + waits.throttledPeriods() + " of " + waits.periods() + " periods ("
                        + FigureFormat.count(waits.group().throttledPeriods()) + " so far)";
        return ": quota " + FigureFormat.of(waits.group().cpus()) + " of " + machine.cpus() + " CPUs" + throttled;
    }

    private String moreCpus(JvmWaits waits) {
        if (waits.throttledPeriods() > 0) {
            return "Raise the quota of " + waits.group().directory() + " (cpu.max, or cpu.cfs_quota_us),"
                    + " or let fewer threads run at once.";
        }
        int cpus = jvm.confines().cpus() == 0 ? machine.cpus() : jvm.confines().cpus();
        return waits.wanted() > cpus
                ? "Let fewer threads run at once, or give it more than " + cpus + (cpus == 1 ? " CPU." : " CPUs.")
                : "Other programs use its CPUs: move them, or give them less weight (cpu.weight, nice).";
    }

    private Finding attaching() {
        if (jvm.noAttaching() != null) {
            return jvm.noAttaching();
        }
        String says = "possible at any time, without a restart";
        boolean isProven = jvm.agent() != null && !jvm.isFromStart() || jvm.source() != null;
        return jvm.confines().isFiltered() && !isProven
                ? Finding.of(Level.NONE, "attaching", says + ", if its seccomp filter allows AF_UNIX sockets")
                : Finding.of(Level.GREEN, "attaching", says);
    }

    /** The source that the agent uses if nobody names another. */
    private Finding sourceInUse() {
        if (jvm.source() != null) {
            return ofSource(jvm.source(), "is " + jvm.source() + ", as it says itself" + cost(jvm.source()));
        }
        String first = jvm.foreseen().first();
        String foreseen = isServed() ? "unless it was told otherwise, " : "would be ";
        return ofSource(
                first, foreseen + first + (jvm.foreseen().isCertain() ? " (foreseen)" + cost(first) : proviso()));
    }

    /** Two things cannot be foreseen: the seccomp filter's decision, and room for perf's pages. */
    private String proviso() {
        List<String> sources = jvm.foreseen().sources();
        String others = String.join(" or ", sources.subList(1, sources.size()));
        String condition =
                jvm.confines().isFiltered() ? "if its seccomp filter allows that" : "if it may lock the memory";
        return " " + condition + ", else " + others + "; foreseen from outside";
    }

    private String cost(String source) {
        double ns = examined.source(source).readNs();
        String calls = isCalling(source) ? "a system call or two" : "no system call";
        return ns > 0 ? ": " + FigureFormat.ns(ns) + " a read, " + calls : ": " + calls + " a read";
    }

    private static boolean isCalling(String source) {
        return !List.of(SourceNames.RSEQ, SourceNames.PERF, SourceNames.IDS).contains(source);
    }

    private Finding ofSource(String source, String says) {
        return switch (source) {
            case SourceNames.RSEQ, SourceNames.IDS -> Finding.of(Level.GREEN, SOURCE, says);
            case SourceNames.PERF -> perf(says);
            case SourceNames.CLOCK -> clock(says);
            default -> new Finding(Level.YELLOW, SOURCE, says, "threadclock attach " + jvm.pid());
        };
    }

    private Finding perf(String says) {
        OptionalLong pages = jvm.confines().perfPages(machine);
        if (pages.isPresent() && pages.getAsLong() < jvm.threads()) {
            String room = "; room for " + FigureFormat.count(pages.getAsLong()) + " threads of "
                    + FigureFormat.count(jvm.threads());
            return new Finding(Level.RED, SOURCE, says + room, Reason.PERF_MEMORY.remedy());
        }
        return jvm.foreseen().isCertain() || jvm.source() != null
                ? Finding.of(Level.GREEN, SOURCE, says)
                : new Finding(Level.YELLOW, SOURCE, says, MachineFindings.ALLOW_IN_FILTER);
    }

    private Finding clock(String source) {
        String says = source + slower();
        if (examined.counter() != Reason.SOUND) {
            return Finding.of(Level.YELLOW, SOURCE, says + "; no counter to go by");
        }
        if (isServed()
                && !jvm.foreseen().first().equals(SourceNames.CLOCK)
                && jvm.foreseen().isCertain()) {
            return new Finding(Level.YELLOW, SOURCE, says + "; it was told so", "threadclock attach " + jvm.pid());
        }
        if (!jvm.confines().mayUsePerf(machine)) {
            return new Finding(
                    Level.RED,
                    SOURCE,
                    says + "; perf events are refused (kernel.perf_event_paranoid)",
                    MachineFindings.ALLOW_PERF);
        }
        return new Finding(
                Level.YELLOW,
                SOURCE,
                says,
                jvm.confines().isFiltered()
                        ? MachineFindings.ALLOW_IN_FILTER
                        : examined.source(SourceNames.PERF).reason().remedy());
    }

    /** JDK 26 and newer read the raw ticks by a cheaper system call. */
    private String slower() {
        return jvm.ownCall() != null && jvm.ownCall().way() == UserTimeCall.Way.TICKS
                ? ", slower than its JDK's own user time, which is of raw ticks"
                : "";
    }
}
