// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.process.Printer;
import io.threadclock.recorder.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What each command that writes to a server is told. */
final class ServerOption {
    private static final String FILE = "@";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--to",
            paramLabel = "SERVER",
            description = "Write to a QuestDB elsewhere, as in http::addr=HOST:9000;username=u; or @FILE, whose"
                    + " text is that. The password, or the token, is best in that file, or in the environment as "
                    + Address.PASSWORD + " or " + Address.TOKEN + ": other users see the words of a command. docs/fleet.md"
                    + " has all settings.")
    private String to;

    /** Empty: it is not given. Says on standard error that others can see what is secret. */
    Optional<Address> address() {
        if (to == null) {
            return Optional.empty();
        }
        Address address = parsed();
        if (!to.startsWith(FILE) && Address.showsSecret(to)) {
            Printer.err(spec).println("threadclock: every user of this machine can see the password or token in --to;"
                    + " give it in " + Address.PASSWORD + ", " + Address.TOKEN + ", or --to=@FILE");
        }
        return Optional.of(address);
    }

    private Address parsed() {
        try {
            return Address.parse(text(), System.getenv());
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), "--to: " + wrong.getMessage());
        }
    }

    private String text() {
        if (!to.startsWith(FILE)) {
            return to;
        }
        try {
            return Files.readString(Path.of(to.substring(FILE.length()))).replaceAll("\\s*\\R\\s*", "").strip();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("the file cannot be read, " + unreadable);
        }
    }
}
