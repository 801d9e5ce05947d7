// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.attach.AttachAnswer;
import io.threadclock.cli.attach.Attachment;
import io.threadclock.cli.attach.LibraryFile;
import io.threadclock.cli.attach.LibraryPath;
import io.threadclock.cli.process.JvmFlags;
import io.threadclock.cli.process.JvmtiPrice;
import io.threadclock.cli.process.LostWakeUp;
import io.threadclock.cli.process.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines that a successful command prints. */
record AttachReport(Target target, Attachment.Attached attached) {
    private static final int WARNS_SINCE = 21;
    private static final Pattern FEATURE = Pattern.compile("JDK (?:1\\.)?(\\d{1,4}).*");
    private static final String ALLOWED = "EnableDynamicAgentLoading";

    /** One line, for instance {@code attached to process 4711 (JDK 17.0.15, OpenJDK 64-Bit Server VM) in 132 ms}. */
    String line(String done, Optional<String> source) {
        AttachAnswer answer = attached.answer();
        return done + " process " + target.pid() + " (" + answer.jvm() + ") in " + answer.elapsedMs() + " ms"
                + source.map(named -> ", source " + named).orElse("");
    }

    /** Notes on what may surprise the user. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!attached.note().isEmpty()) {
            notes.add("process " + target.pid() + ": " + attached.note() + ".");
        }
        if (target.feature().isEmpty() && !attached.wasLoaded() && warns(target, feature())) {
            notes.add(notice(target, "prints"));
        }
        return notes;
    }

    /** Virtual threads are measured by means of JVMTI, which costs those of that JVM something. */
    String costOfVirtual() {
        JvmtiPrice price = JvmtiPrice.of(target);
        String process = "process " + target.pid() + ": ";
        boolean canHang = JvmtiPrice.canHang(feature());
        if (price.isFree()) {
            return process + "JVMTI does not slow its virtual threads, because it was started with -XX:-"
                    + JvmtiPrice.TRANSITIONS
                    + (canHang ? ", with which they can hang on JDK 24 and 25. Start it without." : ".");
        }
        return process
                + price.payer()
                        .map(payer -> "JVMTI slows its virtual threads no more than before: because of " + payer
                                + ", each of their switches took " + JvmtiPrice.OF_A_SWITCH + " longer already.")
                        .orElse("its virtual threads switch more slowly from now on until it ends, by "
                                + JvmtiPrice.OF_A_SWITCH + " each time, unless another agent had made them so before"
                                + (canHang ? "." : "; started by threadclock run --virtual, they would not."));
    }

    /** What is known of its JDK's virtual threads that wait forever; empty if nothing is. */
    Optional<String> lostWakeUps() {
        return target.runtimeVersion()
                .flatMap(LostWakeUp::told)
                .map(told -> "process " + target.pid() + ": " + told + ". " + LostWakeUp.REMEDY);
    }

    /** The JDK's feature release, from the JVM's answer. */
    private int feature() {
        Matcher feature = FEATURE.matcher(attached.answer().jvm());
        return feature.matches() ? Integer.parseInt(feature.group(1)) : 0;
    }

    /**
     * A line to print before the library is loaded into a JVM. It says what the JVM will print on its standard error,
     * where its operator may see it. Empty if it prints nothing, or the JVM does not tell its version
     * (-XX:-UsePerfData); {@link #notes} then say so afterwards.
     */
    static Optional<String> notice(Target target, LibraryFile library) {
        boolean warns = warns(target, target.feature().orElse(0))
                && !LibraryPath.isLoadedIn(target, library)
                && target.mayBeAsked();
        return warns ? Optional.of(notice(target, "will print")) : Optional.empty();
    }

    private static String notice(Target target, String prints) {
        return "process " + target.pid() + ": this JVM " + prints
                + " a notice, as of each agent that is loaded while it runs; started" + " with -XX:+" + ALLOWED
                + ", it would not.";
    }

    private static boolean warns(Target target, int feature) {
        return feature >= WARNS_SINCE
                && JvmFlags.of(target.files()).isOn(ALLOWED).isEmpty();
    }
}
