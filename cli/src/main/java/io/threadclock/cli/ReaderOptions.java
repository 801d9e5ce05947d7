// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.attach.LibraryFile;
import io.threadclock.cli.process.Pid;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.Proc;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.threads.ThreadReader;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of each command that takes snapshots of a JVM's threads. */
final class ReaderOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--no-attach",
            description =
                    "Put nothing into the JVM, and read /proc instead; also for other users' JVMs. User and system time"
                            + " then come in steps of 10 ms, and names end after 15 characters.")
    private boolean fromOutside;

    @Mixin
    private LibraryOption agent;

    @Mixin
    private TargetOptions options;

    boolean isFromOutside() {
        return fromOutside;
    }

    /**
     * The process to read. From outside this may be any user's, because /proc shows its threads to everybody. Its
     * memory is not shown, so that a JVM cannot be told from other programs there.
     */
    Target target(Proc proc, Pid pid) {
        if (!fromOutside) {
            return Attach.hotSpot(proc, pid);
        }
        return Target.outside(proc, pid.number()).checked(target -> {
            if (target.showsItsMemory()) {
                target.refuseOtherThanHotSpot();
            }
        });
    }

    /** From outside also where the agent cannot be brought in without a danger for the JVM. */
    ThreadReader reader(Target target) {
        if (fromOutside) {
            return outside(target);
        }
        Optional<Refusal> end = target.endIfAsked();
        if (end.isPresent()) {
            Printer.say(spec, end.get().getMessage() + " It is read from outside.");
            return outside(target);
        }
        return attached(target);
    }

    ThreadReader outside(Target target) {
        return new ThreadReaders(target, options.timeout()).fromOutside();
    }

    /** @throws Refusal if the agent cannot be brought in */
    ThreadReader attached(Target target) {
        target.refuseAnotherUsers();
        target.refuseOtherThanHotSpot();
        LibraryFile library = agent.library();
        AttachReport.notice(target, library).ifPresent(notice -> Printer.say(spec, notice));
        return new ThreadReaders(target, options.timeout()).attached(library);
    }
}
