// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.process.JvmtiPrice;
import io.threadclock.cli.process.LostWakeUp;
import java.util.Optional;

/**
 * Whether a JVM's virtual threads are measured, and if not, how they can be.
 *
 * @param feature the feature release of its JDK; 0: not known
 * @param isServed whether its agent is in use, or may be
 */
record VirtualThreadsFinding(JvmFacts jvm, long feature, boolean isServed) {
    static final int FIRST_JDK = 21;
    private static final String SUBJECT = "virtual";

    Finding finding() {
        VirtualThreadFacts threads = jvm.virtualThreads();
        if (feature > 0 && feature < FIRST_JDK) {
            return none("JDK " + feature + " has no virtual threads; they came with JDK " + FIRST_JDK);
        }
        if (threads.haveKernelThreads()) {
            return none("each has a thread of the kernel (-XX:-VMContinuations), and is read like any other");
        }
        if (jvm.isJvmtiFree() && JvmtiPrice.canHang(feature)) {
            String flag = "-XX:-" + JvmtiPrice.TRANSITIONS;
            return new Finding(
                    Level.RED,
                    SUBJECT,
                    "on JDK 24 and 25 they can hang with " + flag,
                    "Start it without " + flag + ".");
        }
        if (threads.measuring() == null) {
            return isServed
                    ? none("it is not known whether its agent measures them: the library does not tell")
                    : off();
        }
        return switch (threads.measuring()) {
            case OFF -> off();
            case ON -> on();
            case IMPOSSIBLE -> impossible();
        };
    }

    /** The known faults of its JDK by which virtual threads wait forever; empty if there are none. */
    Optional<Finding> lostWakeUps() {
        return Optional.ofNullable(jvm.virtualThreads().version())
                .filter(version -> !jvm.virtualThreads().haveKernelThreads())
                .flatMap(LostWakeUp::told)
                .map(told -> new Finding(Level.YELLOW, "wake-ups", told, LostWakeUp.REMEDY));
    }

    private static Finding none(String says) {
        return Finding.of(Level.NONE, SUBJECT, says);
    }

    private Finding off() {
        String remedy = jvm.noAttaching() == null
                ? "threadclock attach --virtual " + jvm.pid()
                : "Start it by threadclock run --virtual.";
        return new Finding(Level.NONE, SUBJECT, "not measured, except by the library's VirtualThreads", remedy);
    }

    private Finding on() {
        String since = jvm.virtualThreads().isAskedAtStart() ? "since its start" : "if made since that was asked for";
        String says = "measured by the agent's option virtual, " + since + "; JVMTI ";
        return jvm.isJvmtiFree()
                ? Finding.of(Level.GREEN, SUBJECT, says + "does not slow them")
                : new Finding(
                        Level.YELLOW,
                        SUBJECT,
                        says + "slows each switch by " + JvmtiPrice.OF_A_SWITCH,
                        JvmtiPrice.canHang(feature) ? "" : "Start it by threadclock run --virtual.");
    }

    private Finding impossible() {
        String says = "not measured, though that was asked for";
        return jvm.virtualThreads().writesArchive()
                ? new Finding(
                        Level.YELLOW,
                        SUBJECT,
                        says + ": it is to write an archive of its classes",
                        "Use the option virtual in the JVMs that read the archive.")
                : new Finding(
                        Level.YELLOW, SUBJECT, says, "Read why in the line of threadclock on its standard error.");
    }
}
