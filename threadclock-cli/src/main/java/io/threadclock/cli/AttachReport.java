// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.attach.AttachAnswer;
import io.threadclock.cli.attach.Attachment;
import io.threadclock.cli.attach.LibraryPlace;
import io.threadclock.cli.process.JvmFlags;
import io.threadclock.cli.process.Printable;
import io.threadclock.cli.process.Target;
import java.util.List;
import java.util.Optional;

/** What a command that has succeeded says. */
record AttachReport(Target target, Attachment.Attached attached) {
    private static final int WARNS_SINCE = 21;
    private static final String ALLOWED = "EnableDynamicAgentLoading";

    /** One line, for instance {@code attached to process 4711 (JDK 17.0.15, OpenJDK 64-Bit Server VM) in 132 ms}. */
    String line(String done, Optional<AgentOptions.Source> source) {
        AttachAnswer answer = attached.answer();
        return done + " process " + target.pid() + " (" + Printable.line(answer.jvm()) + ") in " + answer.elapsedMs() + " ms"
                + source.map(named -> ", source " + named).orElse("");
    }

    /** What the user may wonder at. */
    List<String> notes() {
        return attached.note().isEmpty() ? List.of() : List.of("process " + target.pid() + ": " + attached.note() + ".");
    }

    /**
     * Before the library is loaded into a JVM: what that will print on its standard error, where its operator may see it.
     * Empty: nothing, or nobody can tell.
     */
    static Optional<String> notice(Target target) {
        boolean warns = target.feature().orElse(0) >= WARNS_SINCE
                && LibraryPlace.loadedIn(target).isEmpty()
                && !JvmFlags.of(target.proc(), target.pid()).isOn(ALLOWED).orElse(false);
        return warns
                ? Optional.of("process " + target.pid() + ": this JVM will print a notice, as of each agent that is loaded while it"
                        + " runs; started with -XX:+" + ALLOWED + ", it would not.")
                : Optional.empty();
    }
}
