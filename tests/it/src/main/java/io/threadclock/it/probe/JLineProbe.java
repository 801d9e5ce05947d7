// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** JLine's TTop: the times of all threads, by their ids, on a terminal. */
public final class JLineProbe {
    private static final int THREADS = 50;

    private JLineProbe() {}

    @SuppressWarnings("try") // the threads only have to be there
    public static void main(String[] arguments) throws Exception {
        ByteArrayInputStream quit = new ByteArrayInputStream("q".getBytes(StandardCharsets.US_ASCII));
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        Foreign terminal = Foreign.create("org.jline.terminal.impl.DumbTerminal", quit, screen);
        terminal.call(
                "setSize",
                Foreign.create("org.jline.terminal.Size", 120, 2 * THREADS).object());
        Foreign top = Foreign.create("org.jline.builtins.TTop", terminal.object());
        top.setField("stats", Arrays.asList("name", "state", "user_time", "cpu_time", "user_time_perc"));
        top.setField("sort", Arrays.asList("name"));
        try (ManyParked threads = new ManyParked(THREADS)) {
            top.call("run");
            Consumer.printShape(screen.toString("UTF-8"), "(NAME|watched|main).*");
            Consumer.printCost(() -> top.callHidden("infos"));
        }
    }
}
