// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.process.Target;
import io.threadclock.cli.view.ThreadView;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What each command that looks at the threads of a JVM is told. */
final class ViewOptions {
    @Option(
            names = "--no-attach",
            description = "Put nothing into the JVM, and read /proc from outside: user and system time come in steps of 10 ms"
                    + " then, and names end after 15 characters.")
    private boolean fromOutside;

    @Mixin
    private LibraryOption agent;

    @Mixin
    private TargetOptions options;

    boolean isFromOutside() {
        return fromOutside;
    }

    ThreadView view(Target target) {
        Viewing viewing = new Viewing(target, options.timeout());
        return fromOutside ? viewing.fromOutside() : viewing.attached(agent.library());
    }
}
