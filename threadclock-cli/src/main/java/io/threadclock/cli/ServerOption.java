// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.process.Printer;
import io.threadclock.recorder.ServerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of each command that writes to a server. */
public final class ServerOption {
    private static final String FILE = "@";
    private static final Set<PosixFilePermission> OF_OTHERS =
            Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--to",
            paramLabel = "SERVER",
            description = "Write to a QuestDB server, such as http::addr=HOST:9000;username=u; or @FILE, a file with"
                    + " this address. Put the password or the token into that file, or into the environment as "
                    + ServerAddress.PASSWORD + " or " + ServerAddress.TOKEN
                    + ", because other users can see the words of a command. docs/fleet.md"
                    + " has all settings.")
    private String to;

    /** Empty if the option is not given. Warns on standard error if others can see a secret. */
    public Optional<ServerAddress> address() {
        if (to == null) {
            return Optional.empty();
        }
        try {
            String text = text();
            ServerAddress address = ServerAddress.parse(text, System.getenv());
            if (ServerAddress.showsSecret(text)) {
                tellWhoSees();
            }
            if (address.sendsSecretInClear()) {
                say("the password or token for " + address
                        + " is sent as it is, for everybody on the way to read; use https::");
            }
            return Optional.of(address);
        } catch (IOException unreadable) {
            throw new ParameterException(spec.commandLine(), "--to: the file cannot be read, " + unreadable);
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), "--to: " + wrong.getMessage());
        }
    }

    private String text() throws IOException {
        return to.startsWith(FILE)
                ? Files.readString(file()).replaceAll("\\s*\\R\\s*", "").strip()
                : to;
    }

    private Path file() {
        return Path.of(to.substring(FILE.length()));
    }

    private void tellWhoSees() throws IOException {
        if (!to.startsWith(FILE)) {
            say("every user of this machine can see the password or token in --to; give it in " + ServerAddress.PASSWORD
                    + ", " + ServerAddress.TOKEN + ", or --to=@FILE");
        } else if (Files.getPosixFilePermissions(file()).stream().anyMatch(OF_OTHERS::contains)) {
            say("others may read " + file() + ", which has a password or token; chmod 600 it");
        }
    }

    private void say(String text) {
        Printer.err(spec).println("threadclock: " + text);
    }
}
