// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.attach.PreloadFile;
import io.threadclock.cli.attach.SourceNames;
import io.threadclock.cli.process.ElfFile;
import io.threadclock.cli.process.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Findings on what this machine offers the clock, for a process with the limits of this one. */
public record MachineFindings(MachineFacts machine, ProcessLimits confines, Examination examined) {
    /** The order in which `auto` tries them. */
    private static final List<String> ORDER =
            List.of(SourceNames.RSEQ, SourceNames.PERF, SourceNames.IDS, SourceNames.CLOCK);

    private static final long FEW_PAGES = 1000;
    private static final long PARANOID = 3;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_SECOND = 1e9;
    private static final String PRELOAD = "preload";
    static final String ALLOW_PERF = "sysctl kernel.perf_event_paranoid=2";
    static final String ALLOW_IN_FILTER = "Let the container's seccomp filter allow perf_event_open.";

    /** All findings, from the kernel to the source. */
    public List<Finding> all() {
        List<Finding> findings = new ArrayList<>(base());
        ORDER.forEach(name -> findings.add(source(examined.source(name))));
        findings.add(samples());
        findings.add(waits());
        findings.add(confinement());
        return findings;
    }

    /** The findings that are true of all processes. */
    List<Finding> base() {
        return List.of(kernel(), accounting(), counter());
    }

    private Finding kernel() {
        String hz = "HZ=" + Math.round(NS_PER_SECOND / examined.tickNs());
        return examined.isTickMeasured()
                ? Finding.of(
                        Level.GREEN,
                        "kernel",
                        hz + ", measured: a tick every " + FigureFormat.of(examined.measuredTickNs() / NS_PER_MS)
                                + " ms")
                : Finding.of(Level.YELLOW, "kernel", hz + ", but no single tick was seen in half a second");
    }

    private Finding accounting() {
        return Finding.of(
                Level.GREEN,
                "ticks",
                examined.measuringCpus().isEmpty()
                        ? "user time is counted at ticks, as nearly everywhere"
                        : "user time is counted at ticks, and measured on CPU " + examined.measuringCpus()
                                + " (nohz_full), which tells it in steps of a tick or more");
    }

    private Finding counter() {
        if (examined.counter() != Reason.SOUND) {
            String remedy = examined.counter().remedy();
            return new Finding(
                    Level.RED,
                    "counter",
                    examined.counterSays(),
                    remedy.isEmpty() ? "Another CPU or hypervisor: every read is a system call here." : remedy);
        }
        return Finding.of(
                Level.GREEN,
                "counter",
                "invariant; the kernel's clock of a thread takes " + FigureFormat.ns(examined.callNs()));
    }

    private Finding source(SourceVerdict verdict) {
        String name = verdict.source();
        if (name.equals(examined.chosen())) {
            return used(verdict);
        }
        if (verdict.isSound()) {
            Finding sound = Finding.of(
                    Level.GREEN, name, "in reserve: " + FigureFormat.ns(verdict.readNs()) + " a read" + more(name));
            return name.equals(SourceNames.PERF) && !isPerfForAll()
                    ? new Finding(Level.YELLOW, name, sound.says(), ALLOW_PERF)
                    : sound;
        }
        return refused(verdict);
    }

    private Finding used(SourceVerdict verdict) {
        String name = verdict.source();
        String says = "used: " + FigureFormat.ns(verdict.readNs()) + " a read" + more(name);
        if (name.equals(SourceNames.CLOCK)) {
            return Finding.of(Level.YELLOW, name, says + ", each a system call or two");
        }
        if (name.equals(SourceNames.PERF) && !isPerfForAll()) {
            return new Finding(Level.YELLOW, name, says, ALLOW_PERF);
        }
        OptionalLong pages = confines.perfPages(machine);
        return name.equals(SourceNames.PERF) && pages.orElse(FEW_PAGES) < FEW_PAGES
                ? new Finding(Level.YELLOW, name, says, Reason.PERF_MEMORY.remedy())
                : Finding.of(Level.GREEN, name, says);
    }

    /** A refused source that comes before the one in use would be better. It is red only if something can be done. */
    private Finding refused(SourceVerdict verdict) {
        String name = verdict.source();
        String remedy = name.equals(SourceNames.PERF)
                ? perfRemedy(verdict.reason())
                : verdict.reason().remedy();
        boolean isMissed = examined.chosen().equals(SourceNames.CLOCK);
        boolean isOfUse = isMissed || name.equals(SourceNames.PERF);
        if (remedy.isEmpty() || !isOfUse || examined.counter() != Reason.SOUND) {
            return Finding.of(Level.NONE, name, verdict.says());
        }
        return new Finding(isMissed ? Level.RED : Level.YELLOW, name, verdict.says(), remedy);
    }

    private String perfRemedy(Reason reason) {
        if (reason != Reason.PERF_REFUSED) {
            return reason.remedy();
        }
        return confines.mayUsePerf(machine) ? ALLOW_IN_FILTER : ALLOW_PERF;
    }

    private boolean isPerfForAll() {
        return machine.perfParanoid().orElse(PARANOID) < PARANOID;
    }

    private String more(String name) {
        return switch (name) {
            case SourceNames.RSEQ -> "; self-test passed";
            case SourceNames.PERF -> perfRoom();
            default -> "";
        };
    }

    private String perfRoom() {
        String who = isPerfForAll()
                ? ""
                : "; for root alone (kernel.perf_event_paranoid="
                        + machine.perfParanoid().orElse(PARANOID) + ")";
        OptionalLong pages = confines.perfPages(machine);
        String room = pages.isPresent()
                ? "; room for " + FigureFormat.count(pages.getAsLong()) + " threads"
                : "; room for all threads";
        return who + room;
    }

    private Finding samples() {
        if (examined.samples() == Reason.SOUND) {
            return Finding.of(Level.GREEN, "samples", "threads that sleep are sampled; split=sampled is available");
        }
        if (examined.samples() == Reason.PERF_REFUSED) {
            return Finding.of(Level.NONE, "samples", "threads that sleep, and split=sampled, take perf events");
        }
        String remedy = examined.samples().remedy();
        return remedy.isEmpty()
                ? Finding.of(Level.NONE, "samples", examined.samplesSay())
                : new Finding(Level.YELLOW, "samples", examined.samplesSay(), remedy);
    }

    private Finding waits() {
        return examined.waits() == Reason.SOUND
                ? Finding.of(Level.GREEN, "waits", "how long threads wait for a CPU is known")
                : new Finding(
                        Level.YELLOW,
                        "waits",
                        examined.waitsSay(),
                        examined.waits().remedy());
    }

    private Finding confinement() {
        return Finding.of(Level.GREEN, "limits", confines.words(machine));
    }

    /** On a program that is no JVM: whether the clock is preloaded into it. */
    static Finding preload(Target target) {
        if (target.files().memoryMap().has(PreloadFile.NAME::equals)) {
            return Finding.of(Level.GREEN, PRELOAD, PreloadFile.NAME + " answers what it asks libc of thread clocks");
        }
        ElfFile program = target.files().executable();
        if (program.bits() == 32) {
            return Finding.of(Level.NONE, PRELOAD, "it is a 32-bit program, which there is no library for");
        }
        if (program.isStatic()) {
            return Finding.of(Level.NONE, PRELOAD, "it is static: no library can be preloaded into it");
        }
        if (target.files().isSecure()) {
            return new Finding(
                    Level.NONE,
                    PRELOAD,
                    "it has got rights that its caller had not (setuid, setgid, capabilities), and so ignores LD_PRELOAD",
                    "If it asks often, start it as the user whose rights it needs, without them.");
        }
        return new Finding(
                Level.NONE,
                PRELOAD,
                "what it asks of thread clocks is answered by the kernel",
                "If it asks often, start it by threadclock run --preload -- PROGRAM.");
    }
}
