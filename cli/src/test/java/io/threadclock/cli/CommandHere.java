// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** {@code threadclock COMMAND}, run in this JVM. */
final class CommandHere {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** @return its exit status */
    int run(String... words) {
        CommandLine command = ThreadClockCommand.commandLine();
        return command.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
