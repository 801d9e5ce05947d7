// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes the files that the archive has beside the program: a man page for each command, and completion for bash and
 * zsh. All of them are made from the commands' annotations.
 */
record Manual(Path folder, String version) {
    private static final String NAME = "threadclock";
    private static final String MAN = "share/man/man1";
    /** Zsh loads a function of this name from its path, and runs bash's completion by emulating it. */
    private static final String ZSH_HEAD = "#compdef threadclock\n";

    private static final String ZSH_END = "_bash_complete -o default -F _complete_threadclock\n";

    /** Takes one argument: the folder to write to. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        CommandLine command = ThreadClockCommand.commandLine();
        new Manual(folder, String.join(" ", command.getCommandSpec().version())).write(command);
    }

    private void write(CommandLine command) throws IOException {
        for (CommandLine each : withSubcommands(command)) {
            write(MAN + "/" + pageName(each.getCommandSpec()) + ".1", page(each));
        }
        String completion = AutoComplete.bash(NAME, command);
        write("share/bash-completion/completions/" + NAME, completion);
        write("share/zsh/site-functions/_" + NAME, ZSH_HEAD + completion + ZSH_END);
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static List<CommandLine> withSubcommands(CommandLine command) {
        List<CommandLine> all = new ArrayList<>(List.of(command));
        command.getSubcommands().values().forEach(subcommand -> all.addAll(withSubcommands(subcommand)));
        return all;
    }

    private static String pageName(CommandSpec spec) {
        return spec.qualifiedName("-");
    }

    /** Returns the page in the language of man(7). */
    String page(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        Roff page = new Roff().title(pageName(spec), version);
        page.section("NAME").text(pageName(spec) + " - " + lowerFirst(headline(spec)));
        page.section("SYNOPSIS").text(command.getHelp().synopsis(0).strip());
        page.section("DESCRIPTION");
        for (String line : spec.usageMessage().description()) {
            page.text(line);
        }
        commands(command, page);
        options(spec, page);
        if (!spec.usageMessage().exitCodeList().isEmpty()) {
            page.section("EXIT STATUS");
            spec.usageMessage().exitCodeList().forEach((code, meaning) -> page.item(code.strip(), meaning));
        }
        if (spec.usageMessage().footer().length > 0) {
            page.section("EXAMPLES").verbatim(spec.usageMessage().footer());
        }
        return page.toString();
    }

    static String page(CommandLine command, String version) {
        return new Manual(Path.of(""), version).page(command);
    }

    private static String headline(CommandSpec spec) {
        String[] header = spec.usageMessage().header();
        String text = String.join(
                " ", header.length > 0 ? header : spec.usageMessage().description());
        return text.replace("%n", " ").strip().replaceFirst("[.]$", "");
    }

    private static String lowerFirst(String text) {
        return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }

    private static void commands(CommandLine command, Roff page) {
        if (command.getSubcommands().isEmpty()) {
            return;
        }
        page.section("COMMANDS");
        command.getSubcommands().forEach((name, subcommand) -> page.item(name, headline(subcommand.getCommandSpec())));
    }

    private static void options(CommandSpec spec, Roff page) {
        page.section("OPTIONS");
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            if (!parameter.hidden()) {
                page.item(parameter.paramLabel(), String.join(" ", parameter.description()));
            }
        }
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
                page.item(String.join(", ", option.names()) + value, String.join(" ", option.description()));
            }
        }
    }

    /** The language of manual pages. */
    private static final class Roff {
        private static final int LAST_ASCII = 127;

        private final StringBuilder text = new StringBuilder();

        Roff title(String name, String version) {
            return line(".TH \"" + escaped(name.toUpperCase(Locale.ROOT)) + "\" \"1\" \"\" \"" + escaped(version)
                    + "\" \"\"");
        }

        Roff section(String title) {
            return line(".SH " + title);
        }

        Roff item(String term, String meaning) {
            return line(".TP").line("\\fB" + escaped(term) + "\\fR").text(meaning);
        }

        Roff text(String plain) {
            String rendered = Ansi.OFF.string(plain.replace("%n", "\n")).strip();
            return rendered.isEmpty() ? this : line(escaped(rendered));
        }

        Roff verbatim(String[] lines) {
            line(".nf");
            for (String each : lines) {
                line(escaped(each.strip()));
            }
            return line(".fi");
        }

        private Roff line(String line) {
            text.append(line).append('\n');
            return this;
        }

        /**
         * Escapes a line that begins with a dot or a quote, which would be a request, and characters that are not
         * ASCII, which depend on the locale.
         */
        private static String escaped(String plain) {
            String quoted = plain.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^([.'])", "\\\\&$1");
            StringBuilder text = new StringBuilder();
            quoted.codePoints()
                    .forEach(sign -> text.append(
                            sign < LAST_ASCII ? Character.toString(sign) : String.format("\\[u%04X]", sign)));
            return text.toString();
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
