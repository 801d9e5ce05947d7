// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JVMs of this machine that may be looked at. */
record JvmList(List<Entry> entries) {
    /** @param name the program: its main class or jar, as the command line names it */
    record Entry(int pid, String name) {}

    static JvmList of(Proc proc) {
        List<Entry> entries = new ArrayList<>();
        for (int pid : proc.pids()) {
            boolean isUs = ProcessHandle.current().pid() == pid;
            if (!isUs && JvmKind.of(proc.memoryMap(pid), proc.executable(pid)) == JvmKind.HOTSPOT) {
                entries.add(new Entry(pid, programOf(proc.words(pid, "cmdline"))));
            }
        }
        return new JvmList(entries);
    }

    /** What follows the options, some of which have a word of their own. */
    static String programOf(List<String> words) {
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
