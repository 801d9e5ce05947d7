// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import java.io.File;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;

/** Commands, their options, and what these take, in the language of fish. */
final class FishCompletion {
    private final StringBuilder lines = new StringBuilder();
    private final String name;

    private FishCompletion(String name) {
        this.name = name;
    }

    static String of(String name, CommandLine command) {
        FishCompletion completion = new FishCompletion(name);
        command.getSubcommands().forEach(completion::add);
        return completion.lines.append('\n').toString();
    }

    private void add(String command, CommandLine line) {
        line("__fish_use_subcommand")
                .append(" -f -a ")
                .append(quoted(command))
                .append(" -d ")
                .append(quoted(Manual.headline(line.getCommandSpec())));
        for (OptionSpec option : line.getCommandSpec().options()) {
            if (!option.hidden()) {
                add(command, option);
            }
        }
    }

    private void add(String command, OptionSpec option) {
        line("__fish_seen_subcommand_from " + command);
        for (String each : option.names()) {
            lines.append(each.startsWith("--") ? " -l " : " -s ").append(each.replaceFirst("^--?", ""));
        }
        if (option.arity().max() > 0) {
            boolean isFile = option.type() == Path.class || option.type() == File.class;
            lines.append(isFile ? " -r" : " -x");
        }
        if (option.completionCandidates() != null) {
            lines.append(" -a ").append(quoted(String.join(" ", option.completionCandidates())));
        }
        lines.append(" -d ").append(quoted(firstSentence(option)));
    }

    private StringBuilder line(String condition) {
        String end = lines.length() == 0 ? "" : "\n";
        return lines.append(end)
                .append("complete -c ")
                .append(name)
                .append(" -n ")
                .append(quoted(condition));
    }

    private static String firstSentence(OptionSpec option) {
        String text = Ansi.OFF.string(String.join(" ", option.description()).replace("%n", " "));
        return text.replaceFirst("(?s)[.;] .*", "").replaceFirst("[.]$", "");
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
