// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A terminal that a test can type into and read: tmux, with a server of its own. */
final class Tmux implements AutoCloseable {
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(2);
    private static final long LOOK_MS = 30;
    private static final int STILL_LOOKS = 10;

    private final String socket;

    Tmux(Path directory, int width, int height) throws IOException {
        socket = directory.resolve("tmux").toString();
        String session = "-f /dev/null new-session -d -x " + width + " -y " + height;
        String environment = " env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 TZ=UTC TERM=screen";
        Stream<String> words = Stream.of((session + environment).split(" "));
        run(Stream.concat(words, Stream.of("PS1=prompt> ", "sh")).toArray(String[]::new));
    }

    static boolean isHere() {
        try {
            return new ProcessBuilder("tmux", "-V").start().waitFor() == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Types keys by their tmux names, and text as it is. */
    void type(String... keys) throws IOException {
        List<String> words = new ArrayList<>(List.of("send-keys"));
        words.addAll(List.of(keys));
        run(words.toArray(String[]::new));
    }

    void resize(int width, int height) throws IOException {
        run("resize-window", "-x", "" + width, "-y", "" + height);
    }

    String screen() throws IOException {
        return run("capture-pane", "-p");
    }

    /** The screen with the sequences for its colours. */
    String colouredScreen() throws IOException {
        return run("capture-pane", "-p", "-e");
    }

    /** The screen when it is as expected; otherwise the screen after two minutes. */
    String await(Predicate<String> expected) throws IOException, InterruptedException {
        long beginNs = System.nanoTime();
        String screen = screen();
        while (!expected.test(screen) && System.nanoTime() - beginNs < LONGEST_NS) {
            Thread.sleep(LOOK_MS); // nobody reports that a terminal has changed
            screen = screen();
        }
        return screen;
    }

    /** The screen when it has not changed for a while, to write down what is right. Tests await what they expect. */
    String awaitStill() throws IOException, InterruptedException {
        String screen = screen();
        for (int same = 0; same < STILL_LOOKS; ) {
            Thread.sleep(LOOK_MS);
            String next = screen();
            same = next.equals(screen) ? same + 1 : 0;
            screen = next;
        }
        return screen;
    }

    private String run(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("tmux", "-S", socket));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("TMUX");
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process tmux = builder.start();
        String printed = new String(tmux.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (tmux.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + printed.strip());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return printed;
    }

    @Override
    public void close() throws IOException {
        run("kill-server");
    }
}
