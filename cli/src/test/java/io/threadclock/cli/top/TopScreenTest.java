// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.DocumentedScreen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The screen of {@code top}, in a real terminal, over a fake JVM. Its screens are files among this class's resources;
 * -Dthreadclock.golden=write writes them and docs/top.md again.
 */
class TopScreenTest {
    private static final Path GOLDEN = DocumentedScreen.HOME.resolve("cli/src/test/resources/io/threadclock/cli/top");

    /** The time on the screen after the last known snapshot. */
    private static final String LAST_LOOK = "12:00:11";

    private static final String STOPPED = "Stopped"; // as the shell says

    @TempDir
    static Path directory;

    /** Most tests use this session, and leave it as they have found it. */
    private static Session shared;

    @BeforeAll
    static void open() throws Exception {
        Assumptions.assumeTrue(Tmux.isHere(), "tmux");
        shared = new Session("shared");
    }

    @AfterAll
    static void close() throws IOException {
        if (shared != null) {
            shared.close();
        }
    }

    /** {@code top} in a terminal of its own. */
    private static final class Session implements AutoCloseable {
        final Path folder;
        final Tmux terminal;

        Session(String name) throws IOException, InterruptedException {
            this(name, "", LAST_LOOK);
        }

        /** @param expected the text on the screen when it has begun */
        Session(String name, String environment, String expected, String... arguments)
                throws IOException, InterruptedException {
            folder = Files.createDirectory(directory.resolve(name));
            terminal = new Tmux(folder, 80, 24);
            Files.writeString(folder.resolve("top"), environment + String.join(" ", command(folder, arguments)) + "\n");
            terminal.type("cd " + folder + "; clear; echo before", "Enter");
            terminal.await(screen -> screen.startsWith("before") && isAtPrompt(screen));
            terminal.type("sh top", "Enter");
            terminal.await(screen -> screen.contains(expected));
        }

        String after(String key, String expected) throws IOException, InterruptedException {
            return after(key, screen -> screen.contains(expected));
        }

        /** @param expected everything that the test needs, because a part of the screen may be there before the rest */
        String after(String key, Predicate<String> expected) throws IOException, InterruptedException {
            terminal.type(key);
            String screen = terminal.await(expected);
            assertThat(screen).as("screen after " + key).matches(expected);
            return screen;
        }

        /** To 8 rows. What was drawn for more loses its first line, until top has heard of it and draws anew. */
        void shrink() throws IOException, InterruptedException {
            terminal.resize(80, 8);
            terminal.await(screen -> screen.startsWith("threadclock top"));
        }

        @Override
        public void close() throws IOException {
            terminal.close();
        }
    }

    private static List<String> command(Path folder, String... arguments) {
        List<String> java = List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                ScriptedTop.class.getName(),
                folder.resolve("proc").toString());
        return Stream.concat(java.stream(), Stream.of(arguments)).toList();
    }

    /** Removes the cost of the command itself, which depends on the machine. */
    private static String settled(String screen) {
        return screen.replaceAll("and top +[\\d.]+ %", "and top 1.2 %").stripTrailing() + "\n";
    }

    /** The screen when it equals the file, because a screen that is being drawn is incomplete. */
    private static String assertGolden(String name, Session session) throws Exception {
        Path file = GOLDEN.resolve(name + ".txt");
        if (DocumentedScreen.WRITES) {
            Files.writeString(file, settled(session.terminal.awaitStill()));
        }
        String golden = Files.readString(file);
        String screen = settled(session.terminal.await(now -> settled(now).equals(golden)));
        assertThat(screen).as(name).isEqualTo(golden);
        return screen;
    }

    /** Counted from 0; the names of the columns are above. */
    private static String row(String screen, int number) {
        return screen.lines()
                .skip(ScreenText.HEAD_LINES + 1 + number)
                .findFirst()
                .orElse("");
    }

    @Test
    void poolsAreFoldedAtFirst() throws Exception {
        String screen = assertGolden("folded", shared);
        DocumentedScreen.check("docs/top.md", "sample", screen);
    }

    @Test
    void poolsCanBeUnfolded() throws Exception {
        shared.after("p", "exec-8");
        assertGolden("unfolded", shared);
        shared.after("p", screen -> screen.contains("exec-*") && screen.contains("pools folded"));
    }

    @Test
    void threadsCanBeFiltered() throws Exception {
        shared.terminal.type("p", "/", "exec-");
        assertThat(shared.terminal.await(screen -> screen.contains("exec-_"))).contains("filter: exec-_");
        shared.after("Enter", "filter \"exec-\"");
        assertGolden("filtered", shared);
        shared.after("/", "filter: _");
        shared.after("Escape", screen -> screen.contains("VM Thread") && !screen.contains("filter"));
        shared.after("p", "exec-*");
    }

    @Test
    void keysCanBeFoundOut() throws Exception {
        shared.after("?", "this help");
        assertGolden("help", shared);
        shared.after("x", screen -> screen.contains("%CPU") && screen.contains("http-nio-8080-exec-*"));
    }

    @Test
    void rowsAreSortedAsKeysSay() throws Exception {
        shared.after("t", "sort time");
        shared.after("n", row(0, ".*C2 CompilerThread0"));
        shared.after("w", "sort wait");
        shared.after("x", screen -> screen.contains("sort switches") && screen.contains("SWITCH/s"));
        shared.after("c", row(0, ".* http-nio.*"));
    }

    @Test
    void freezesAndLooksMoreOrLessOften() throws Exception {
        shared.after("f", "FROZEN");
        shared.after("f", screen -> !screen.contains("FROZEN"));
        shared.after("-", "every 0.2 s");
        shared.after("+", "every 0.1 s");
    }

    @Test
    void fitsEveryTerminal() throws Exception {
        for (int[] size : new int[][] {{132, 40}, {40, 10}, {20, 3}, {80, 24}}) {
            shared.terminal.resize(size[0], size[1]);
            String last = size[0] > 60 ? "exec-*" : "threadclock top";
            String screen = shared.terminal.await(now -> now.startsWith("threadclock top") && now.contains(last));
            assertThat(screen).startsWith("threadclock top").contains(last);
        }
    }

    /** The text of a row; the one with the cursor begins with '>'. */
    private static Predicate<String> row(int number, String regex) {
        return screen -> row(screen, number).matches(regex);
    }

    @Test
    void scrollsAndTheCursorGoesWithItsRow() throws Exception {
        shared.shrink();
        shared.after("p", "exec-8");
        shared.after("PageDown", row(0, ".*exec-6").and(screen -> !screen.contains("exec-8")));
        shared.after("PageUp", row(0, " .*exec-8"));
        shared.after("Down", row(0, ">.*exec-8"));
        shared.terminal.type("Down", "Down");
        shared.after("Down", row(0, ".*exec-7").and(row(2, ">.*")));
        shared.after("n", screen -> screen.matches("(?s).*sort name.*\n>[^\n]*exec-5.*"));
        shared.after("c", "sort cpu");
        shared.after("Home", row(0, " .*exec-8").and(screen -> !screen.contains("\n>")));
        shared.terminal.resize(80, 24);
        shared.after("p", "exec-*");
    }

    @Test
    void oneKeyShowsTheStackOfTheBusiestThread() throws Exception {
        shared.after("d", "frame18(Order.java:18)");
        assertGolden("stack", shared);
        shared.after("PageDown", "frame30(Order.java:30)");
        shared.after("x", screen -> screen.contains("%CPU") && screen.contains("exec-*"));
    }

    @Test
    void theStackIsThatOfTheThreadAtTheCursor() throws Exception {
        shared.after("p", "exec-7");
        shared.terminal.type("Down");
        shared.after("Down", row(1, ">.*"));
        shared.after(
                "Enter",
                screen -> screen.contains("stack of http-nio-8080-exec-7, tid 27") && screen.contains("nid=27"));
        shared.after("q", row(1, ">.*"));
        shared.after("Home", screen -> !screen.contains("\n>"));
        shared.after("p", "exec-*");
    }

    @Test
    void barsHaveColoursWhereTheTerminalHas() throws Exception {
        assertThat(shared.terminal.colouredScreen()).contains("\u001b[32m███", "\u001b[31m▒▒");
        try (Session session = new Session("plain", "NO_COLOR=1 ", LAST_LOOK)) {
            session.terminal.await(
                    screen -> screen.contains("███▒▒") && screen.strip().endsWith(" java"));
            assertThat(session.terminal.colouredScreen()).contains("███▒▒").doesNotContain("\u001b[32m", "\u001b[31m");
        }
    }

    @Test
    void theScreenCanBeKept() throws Exception {
        shared.after("e", "written to");
        try (Stream<Path> files = Files.list(shared.folder)) {
            Path kept = files.filter(file -> file.getFileName().toString().startsWith("threadclock-top-4711-"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readString(kept)).contains("http-nio-8080-exec-*").doesNotContain("\u001b");
        }
        shared.after("c", "pools folded");
    }

    @Test
    @Tag("timing")
    void whereThereIsNoUnicodeItDoesWithout() throws Exception {
        try (Session session = new Session("ascii", "LC_ALL=C ", LAST_LOOK)) {
            String screen = session.terminal.await(
                    now -> now.contains("#######+++") && now.strip().endsWith(" java"));
            assertThat(screen).contains("#######+++").matches("\\p{ASCII}+");
            assertThat(screen.replace("?=help", "")).doesNotContain("?");
        }
    }

    @Test
    void whereNothingCanBeDrawnItSaysSo() throws Exception {
        try (Session session = new Session("dumb", "TERM=dumb ", "al of the type dumb")) {
            assertThat(session.terminal.screen())
                    .contains("al of the type dumb")
                    .startsWith("before");
        }
    }

    @Test
    void needsNeitherAKnownTypeOfTerminalNorItsName() throws Exception {
        try (Session session = new Session("kitty", "TERM=xterm-kitty PATH=/none ", LAST_LOOK)) {
            session.terminal.await(screen -> screen.contains("███▒▒"));
            assertThat(session.terminal.colouredScreen()).contains("\u001b[32m███");
            session.terminal.type("q");
            assertTyping(session);
            assertThat(session.terminal.screen()).startsWith("before").doesNotContain("Exception");
        }
        assertThat(List.of(TerminalType.known(""), TerminalType.known("no-such"), TerminalType.known("dumb")))
                .containsExactly("ansi", "ansi", "dumb");
    }

    @Test
    void theDeathOfTheJvmIsTold() throws Exception {
        try (Session session = new Session("ended", "", LAST_LOOK, "ends")) {
            session.terminal.await(screen -> screen.contains("it has ended"));
            assertGolden("ended", session);
        }
    }

    @Test
    void theTerminalIsLeftAsItWas() throws Exception {
        try (Session session = new Session("left")) {
            session.terminal.type("q");
            String screen = session.terminal.await(now -> now.startsWith("before") && isAtPrompt(now));
            assertThat(screen.strip().lines().map(String::strip))
                    .containsExactly("before", "prompt> sh top", "prompt>");
            assertTyping(session);
        }
    }

    /** A slow stty leaves time to read keys between each of the steps that put the terminal back. */
    @Test
    @Tag("timing")
    void alsoIfSomebodyEndsTheCommand() throws Exception {
        Path slow = Files.createDirectory(directory.resolve("slow"));
        Files.writeString(
                slow.resolve("stty"),
                "#!/bin/sh\nPATH=/usr/bin:/bin\nstty \"$@\"\ncase $1 in -a) sleep 0.1 ;; *) sleep 0.3 ;; esac\n");
        assertThat(slow.resolve("stty").toFile().setExecutable(true)).isTrue();
        try (Session session = new Session("killed", "PATH=" + slow + ":$PATH ", LAST_LOOK)) {
            signal(session, "TERM");
            session.terminal.await(screen -> screen.startsWith("before") && isAtPrompt(screen));
            assertTyping(session);
        }
    }

    @Test
    @Tag("timing")
    void theShellGetsTheTerminalMeanwhile() throws Exception {
        try (Session session = new Session("suspended")) {
            session.after("C-z", STOPPED);
            assertTyping(session);
            session.terminal.type("fg", "Enter");
            session.terminal.await(screen -> screen.contains(LAST_LOOK));
            assertGolden("folded", session);
            session.terminal.type("q");
            assertThat(session.terminal.await(TopScreenTest::isAtPrompt)).contains("typed");
            assertTyping(session);
        }
    }

    @Test
    @Tag("timing")
    void alsoIfSomebodyStopsTheCommand() throws Exception {
        try (Session session = new Session("stopped")) {
            signal(session, "TSTP");
            session.terminal.await(screen -> screen.contains(STOPPED));
            assertTyping(session);
            session.terminal.type("fg");
            session.after("Enter", LAST_LOOK);
            session.after("?", "this help");
        }
    }

    private static void signal(Session session, String name) throws Exception {
        String pid = Files.readString(session.folder.resolve("proc/pid"));
        ProcessBuilder kill = new ProcessBuilder("sh", "-c", "kill -s " + name + " " + pid);
        assertThat(kill.start().waitFor()).isZero();
    }

    private static boolean isAtPrompt(String screen) {
        return screen.strip().endsWith("prompt>");
    }

    /** Typed text is seen once, and obeyed. Text that is typed before the prompt would be seen before it. */
    private static void assertTyping(Session session) throws Exception {
        session.terminal.await(TopScreenTest::isAtPrompt);
        session.terminal.type("echo typed", "Enter");
        assertThat(session.terminal.await(now -> now.contains("\ntyped"))).contains("prompt> echo typed\ntyped\n");
    }
}
