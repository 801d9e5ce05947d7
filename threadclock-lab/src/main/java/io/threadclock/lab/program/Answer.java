// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The lines of standard output that are for the driver; whatever else the JVM prints there is not. */
public final class Answer {
    private static final String PREFIX = "answer ";

    private Answer() {}

    /** Answers each line of standard input until it ends. */
    public static void toEachLine(UnaryOperator<String> answer) throws IOException {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            System.out.println(PREFIX + answer.apply(line));
        }
    }

    /** What the line answers, if it is an answer. */
    public static Optional<String> in(String line) {
        return line.startsWith(PREFIX) ? Optional.of(line.substring(PREFIX.length())) : Optional.empty();
    }
}
