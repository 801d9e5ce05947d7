// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The JVMs of this machine that the user may read. */
public record JvmList(List<Entry> entries) {
    /** A narrower terminal wraps a long line. */
    private static final int LINE_WIDTH = 150;
    /**
     * The most characters of a command line that are kept until one is chosen. Others may run very many programs with
     * very long ones.
     */
    private static final int MOST_CHARACTERS = 1 << 16;

    private static final int LONGEST_WORD = 4096;
    private static final int MOST_ENTRIES = 1000;

    /**
     * A JVM.
     *
     * @param user its name, or its number
     * @param words the command line
     */
    record Entry(int pid, String user, List<String> words) {
        Entry {
            words = beginning(words);
        }

        private static List<String> beginning(List<String> words) {
            List<String> kept = new ArrayList<>();
            int left = MOST_CHARACTERS;
            for (String word : words) {
                kept.add(word.substring(0, Math.min(Math.min(left, LONGEST_WORD), word.length())));
                left -= kept.get(kept.size() - 1).length() + 1;
                if (left <= 0) {
                    break;
                }
            }
            return List.copyOf(kept);
        }

        private static final String DEFINITION = "-D";

        /** The words that distinguish it from others that run the same program: user, arguments, then properties. */
        String line(int width) {
            int program = indexOfProgram(words);
            String arguments = String.join(" ", words.subList(Math.min(words.size(), program + 1), words.size()));
            String properties = words.stream()
                    .limit(program)
                    .filter(word -> word.startsWith(DEFINITION))
                    .collect(Collectors.joining(" "));
            String name = String.join(" ", programOf(words), arguments, properties)
                    .replaceAll(" +", " ")
                    .strip();
            String line = String.format("%7d  %-8s  %s", pid, user, name);
            return line.substring(0, Math.min(width, line.length()));
        }
    }

    /** The JVMs that the user may attach to. */
    public static JvmList of(Proc proc) {
        return of(proc, ProcessFiles::isHotSpot);
    }

    /**
     * Also lists the JVMs that may only be read from outside. For other users' processes only the name of the program
     * tells.
     */
    public static JvmList ofAll(Proc proc) {
        return of(
                proc,
                process -> process.isHotSpot()
                        || (process.memoryMap().mappings().isEmpty()
                                && process.words("cmdline").stream().limit(1).anyMatch(word -> lastPart(word)
                                        .equals("java"))));
    }

    private static JvmList of(Proc proc, Predicate<ProcessFiles> isOne) {
        return new JvmList(proc.pids().stream()
                .filter(pid -> ProcessHandle.current().pid() != pid && isOne.test(proc.anyOf(pid)))
                .limit(MOST_ENTRIES)
                .map(pid -> new Entry(
                        pid, proc.anyOf(pid).userName(), proc.anyOf(pid).words("cmdline")))
                .toList());
    }

    /**
     * Asks the user at the terminal.
     *
     * @throws Refusal if there is no terminal, no JVM, or no choice
     */
    public Pid choose(Printer out) {
        String tried = "choosing a JVM";
        if (entries.isEmpty()) {
            throw new Refusal(
                    tried, "none runs here that may be looked at", "Start one, or run this as its user or as root.");
        }
        if (!StandardStream.IN.isTerminal() || !StandardStream.OUT.isTerminal()) {
            throw new Refusal(tried, "this is no terminal", "Give its pid: " + pids() + ".");
        }
        for (int i = 0; i < entries.size(); i++) {
            out.println(String.format("%3d  %s", i + 1, entries.get(i).line(LINE_WIDTH)));
        }
        out.print("Which one (1 to " + entries.size() + ")? ");
        out.flush();
        return chosen(typed().strip())
                .orElseThrow(() -> new Refusal(tried, "none was chosen", "Give its pid: " + pids() + "."));
    }

    private static String typed() {
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
            return line == null ? "" : line;
        } catch (IOException gone) {
            return "";
        }
    }

    private Optional<Pid> chosen(String answer) {
        if (!answer.matches("\\d{1,7}")) {
            return Optional.empty();
        }
        int number = Integer.parseInt(answer);
        boolean isPid = entries.stream().anyMatch(entry -> entry.pid() == number);
        return number >= 1 && number <= entries.size()
                ? Optional.of(new Pid(entries.get(number - 1).pid()))
                : isPid ? Optional.of(new Pid(number)) : Optional.empty();
    }

    private String pids() {
        return entries.stream().map(entry -> Integer.toString(entry.pid())).collect(Collectors.joining(", "));
    }

    /** The words after the options, some of which have a word of their own. */
    public static String programOf(List<String> words) {
        int program = indexOfProgram(words);
        return program < words.size() ? lastPart(words.get(program)) : words.isEmpty() ? "?" : lastPart(words.get(0));
    }

    /** The number of words if they name no program. */
    private static int indexOfProgram(List<String> words) {
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("-jar") || word.equals("-m") || word.equals("--module")) {
                return Math.min(i + 1, words.size() - 1);
            }
            if (takesAWord(word)) {
                i++;
            } else if (!word.startsWith("-") && !word.startsWith("@")) {
                return i;
            }
        }
        return words.size();
    }

    private static boolean takesAWord(String word) {
        return List.of(
                        "-cp",
                        "-classpath",
                        "--class-path",
                        "-p",
                        "--module-path",
                        "--add-modules",
                        "--add-opens",
                        "--add-exports")
                .contains(word);
    }

    private static String lastPart(String word) {
        Path name = word.contains("/") ? Path.of(word).getFileName() : null;
        return name == null ? word : name.toString();
    }
}
