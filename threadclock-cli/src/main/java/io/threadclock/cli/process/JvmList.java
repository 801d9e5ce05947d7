// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.Console;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The JVMs of this machine that may be looked at. */
public record JvmList(List<Entry> entries) {
    /** @param name the program: its main class or jar, as the command line names it */
    record Entry(int pid, String name) {}

    public static JvmList of(Proc proc) {
        List<Entry> entries = new ArrayList<>();
        for (int pid : proc.pids()) {
            boolean isUs = ProcessHandle.current().pid() == pid;
            if (!isUs && JvmKind.of(proc.memoryMap(pid), proc.executable(pid)) == JvmKind.HOTSPOT) {
                entries.add(new Entry(pid, programOf(proc.words(pid, "cmdline"))));
            }
        }
        return new JvmList(entries);
    }

    /**
     * Asks the user at the terminal.
     *
     * @throws Refusal if there is none, no JVM, or no choice
     */
    public Pid choose() {
        String tried = "choosing a JVM";
        Console console = System.console();
        if (entries.isEmpty()) {
            throw new Refusal(tried, "none runs here that may be looked at", "Start one, or run this as its user or as root.");
        }
        if (console == null || !StandardStream.IN.isTerminal() || !StandardStream.OUT.isTerminal()) {
            throw new Refusal(tried, "this is no terminal", "Give its pid: " + pids() + ".");
        }
        for (int i = 0; i < entries.size(); i++) {
            console.printf("%3d  %7d  %s%n", i + 1, entries.get(i).pid(), entries.get(i).name());
        }
        String answer = console.readLine("Which one (1 to %d)? ", entries.size());
        return chosen(answer == null ? "" : answer.strip())
                .orElseThrow(() -> new Refusal(tried, "none was chosen", "Give its pid: " + pids() + "."));
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

    /** What follows the options, some of which have a word of their own. */
    public static String programOf(List<String> words) {
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("-jar") || word.equals("-m") || word.equals("--module")) {
                return i + 1 < words.size() ? lastPart(words.get(i + 1)) : word;
            }
            if (takesAWord(word)) {
                i++;
            } else if (!word.startsWith("-") && !word.startsWith("@")) {
                return lastPart(word);
            }
        }
        return words.isEmpty() ? "?" : lastPart(words.get(0));
    }

    private static boolean takesAWord(String word) {
        return List.of("-cp", "-classpath", "--class-path", "-p", "--module-path", "--add-modules", "--add-opens", "--add-exports")
                .contains(word);
    }

    private static String lastPart(String word) {
        Path name = word.contains("/") ? Path.of(word).getFileName() : null;
        return name == null ? word : name.toString();
    }
}
