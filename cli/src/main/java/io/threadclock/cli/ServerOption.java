// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.process.Printer;
import io.threadclock.recorder.ServerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of each command that writes to a server. */
public final class ServerOption {
    private static final String FILE = "@";
    private static final String ENVIRONMENT = "env";
    /** The variable in which QuestDB's own clients find an address. */
    private static final String CLIENT_CONF = "QDB_CLIENT_CONF";

    private static final Set<PosixFilePermission> OF_OTHERS =
            Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--to",
            paramLabel = "SERVER",
            description = "Write to a QuestDB server, such as http::addr=HOST:9000;username=u; or @FILE, a file with"
                    + " this address, or env, the address in the variable " + CLIENT_CONF
                    + ". The password or the token belongs in one of those two, or in "
                    + ServerAddress.PASSWORD + " or " + ServerAddress.TOKEN
                    + ", because other users can see the words of a command. docs/fleet.md"
                    + " has all settings.")
    private String to;

    /**
     * Empty if the option is not given. Refuses a secret among the words of the command, which other users see, and
     * warns on standard error if others can see it elsewhere.
     */
    public Optional<ServerAddress> address() {
        return address(System.getenv());
    }

    Optional<ServerAddress> address(Map<String, String> environment) {
        if (to == null) {
            return Optional.empty();
        }
        try {
            String text = text(environment);
            ServerAddress address = ServerAddress.parse(text, environment);
            if (ServerAddress.showsSecret(text)) {
                tellWhoSees();
            }
            if (address.sendsSecretInClear()) {
                Printer.say(
                        spec,
                        "the password or token for " + address
                                + " is sent as it is, for everybody on the way to read; use https::");
            }
            return Optional.of(address);
        } catch (IOException unreadable) {
            throw new ParameterException(spec.commandLine(), "--to: the file cannot be read, " + unreadable);
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), "--to: " + wrong.getMessage());
        }
    }

    private String text(Map<String, String> environment) throws IOException {
        if (to.startsWith(FILE)) {
            return Files.readString(file()).replaceAll("\\s*\\R\\s*", "").strip();
        }
        if (!to.equals(ENVIRONMENT)) {
            return to;
        }
        return Optional.ofNullable(environment.get(CLIENT_CONF))
                .map(String::strip)
                .orElseThrow(() -> new IllegalArgumentException("the variable " + CLIENT_CONF + " is not set"));
    }

    private Path file() {
        return Path.of(to.substring(FILE.length()));
    }

    private void tellWhoSees() throws IOException {
        if (to.equals(ENVIRONMENT)) {
            return;
        }
        if (!to.startsWith(FILE)) {
            throw new IllegalArgumentException("every user of this machine can see a password or token in it; change"
                    + " that one, and give the new one in " + ServerAddress.PASSWORD + ", " + ServerAddress.TOKEN
                    + ", --to=@FILE or --to=env");
        }
        if (Files.getPosixFilePermissions(file()).stream().anyMatch(OF_OTHERS::contains)) {
            Printer.say(spec, "others may read " + file() + ", which has a password or token; chmod 600 it");
        }
    }
}
