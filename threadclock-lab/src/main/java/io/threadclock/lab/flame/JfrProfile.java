// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.flame;

import io.threadclock.harness.SetupException;
import io.threadclock.lab.program.EngineProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import one.convert.Arguments;
import one.convert.JfrToFlame;

/** A profile in the format of JFR. Only the worker's samples are used, without those of server and compiler. */
record JfrProfile(Path file) {
    private static final String WORKER = ".*" + EngineProgram.class.getSimpleName() + ".work.*";
    /** Frames narrower than this, in per cent, cannot be seen and make the page large. */
    private static final String LEAST_WIDTH = "0.02";
    /** The frames below the worker's, or nearly all of them; their number differs from JDK to JDK. */
    private static final String SKIPPED_FRAMES = "6";

    private static final String HIGHLIGHTED = ".*getCurrentThreadUserTime.*";

    /** @param collapsed a file for the intermediate format */
    Stacks stacks(Path collapsed) {
        try {
            convert(collapsed, List.of("--output", "collapsed"));
            return Stacks.parse(Files.readAllLines(collapsed));
        } catch (IOException refused) {
            throw failed(collapsed, refused);
        }
    }

    /**
     * Writes it as a page that needs no other file.
     *
     * @param layout {@code --inverted} has the root on top; it is at the bottom without that
     */
    void picture(Path page, String title, String... layout) {
        List<String> options =
                new ArrayList<>(List.of("--output", "html", "--title", title, "--minwidth", LEAST_WIDTH, "--dot"));
        options.addAll(List.of("--skip", SKIPPED_FRAMES, "--highlight", HIGHLIGHTED));
        options.addAll(List.of(layout));
        try {
            convert(page, options);
        } catch (IOException refused) {
            throw failed(page, refused);
        }
    }

    private void convert(Path output, List<String> options) throws IOException {
        List<String> all = new ArrayList<>(List.of("--cpu", "--include", WORKER));
        all.addAll(options);
        JfrToFlame.convert(file.toString(), output.toString(), new Arguments(all.toArray(String[]::new)));
    }

    private static SetupException failed(Path output, IOException refused) {
        return new SetupException(
                "Writing " + output + " failed: " + refused + ". Make its directory writable, with 20 MB free.",
                refused);
    }
}
