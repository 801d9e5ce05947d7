// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The JVMs of this machine that the user may read. */
public record JvmList(List<Entry> entries) {
    private static final String NUMBER = "%3d  ";
    private static final int NUMBER_WIDTH = 5;
    private static final Pattern COMPILER =
            Pattern.compile("^jdk\\.compiler/com\\.sun\\.tools\\.javac\\.launcher\\.\\w+ +");
    private static final Pattern PACKAGE = Pattern.compile("^[\\w$.]+\\.(?=[A-Z][\\w$]*$)");

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
            int left = Bounds.COMMAND_CHARACTERS;
            for (String word : words) {
                kept.add(word.substring(0, Math.min(Math.min(left, Bounds.WORD_CHARACTERS), word.length())));
                left -= kept.get(kept.size() - 1).length() + 1;
                if (left <= 0) {
                    break;
                }
            }
            return List.copyOf(kept);
        }

        private String program() {
            return programOf(words);
        }

        private String arguments() {
            return String.join(
                            " ", words.stream().skip(indexOfProgram(words) + 1L).toList())
                    .strip();
        }

        /** The arguments as one, then the options. */
        private List<String> parts() {
            Stream<String> options = words.stream().limit(indexOfProgram(words)).skip(1);
            return Stream.concat(Stream.of(arguments()), options)
                    .filter(part -> !part.isEmpty())
                    .distinct()
                    .toList();
        }

        /**
         * The program, and what tells it from the others that run it, the shortest first; then what people have named.
         */
        private String line(int width, Set<String> common) {
            String arguments = arguments();
            Stream<String> telling = parts().stream()
                    .filter(part -> !common.contains(part))
                    .sorted(Comparator.comparingInt(String::length));
            Stream<String> named = parts().stream()
                    .filter(part -> common.contains(part) && (part.startsWith("-D") || part.equals(arguments)));
            String line = Stream.of(Stream.of(PACKAGE.matcher(program()).replaceFirst("")), telling, named)
                    .flatMap(Function.identity())
                    .collect(Collectors.joining(" ", String.format("%7d  %-8s  ", pid, user), ""));
            return line.substring(0, Math.min(width, line.length()));
        }
    }

    /** A line for each, no wider than that. */
    List<String> lines(int width) {
        Map<String, Set<String>> common = new HashMap<>();
        entries.forEach(entry -> common.computeIfAbsent(entry.program(), first -> new HashSet<>(entry.parts()))
                .retainAll(Set.copyOf(entry.parts())));
        return entries.stream()
                .map(entry -> entry.line(width, common.get(entry.program())))
                .toList();
    }

    /**
     * Those that run now, except this program's own.
     *
     * @param isFromOutside whether those count that may be read from outside alone
     * @param say is told of processes that are left out, in one line
     */
    public static JvmList of(Proc proc, boolean isFromOutside, Consumer<String> say) {
        return new JvmList(JvmFinder.now(proc, isFromOutside, say).stream()
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
                    tried,
                    "none runs here that may be looked at",
                    "Start one, or run this as its user, or as root with CAP_SYS_PTRACE.");
        }
        if (!StandardStream.IN.isTerminal() || !StandardStream.OUT.isTerminal()) {
            throw new Refusal(tried, "this is no terminal", "Give its pid: " + pids() + ".");
        }
        List<String> lines = lines(StandardStream.OUT.columns() - NUMBER_WIDTH);
        for (int i = 0; i < lines.size(); i++) {
            out.println(String.format(NUMBER, i + 1) + lines.get(i));
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
        return number >= 1 && number <= entries.size()
                ? Optional.of(new Pid(entries.get(number - 1).pid()))
                : Optional.empty();
    }

    private String pids() {
        return entries.stream().map(entry -> Integer.toString(entry.pid())).collect(Collectors.joining(", "));
    }

    /** The words after the options, some of which have a word of their own. */
    public static String programOf(List<String> words) {
        int program = indexOfProgram(words);
        return program < words.size() ? lastPart(words.get(program)) : words.isEmpty() ? "?" : lastPart(words.get(0));
    }

    /**
     * By what a JVM says of its command, with arguments, and by the words, one of which that begins with: a path may
     * have spaces. Of a class that the JVM compiles first, that is the file.
     */
    static String programOf(String command, List<String> words) {
        String said = COMPILER.matcher(command.strip()).replaceFirst("") + " ";
        return lastPart(words.stream()
                .skip(1)
                .filter(word -> !word.isEmpty() && said.startsWith(word + " "))
                .max(Comparator.comparingInt(String::length))
                .orElse(said.substring(0, said.indexOf(' '))));
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

    static String lastPart(String word) {
        int end = word.length();
        while (end > 0 && word.charAt(end - 1) == '/') {
            end--;
        }
        return end == 0 ? word : word.substring(word.lastIndexOf('/', end - 1) + 1, end);
    }
}
