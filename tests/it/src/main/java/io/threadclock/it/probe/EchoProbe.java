// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A program that says that it is ready, prints each line that it is given, and ends with its input. */
public final class EchoProbe {
    public static final int STATUS = 7;
    public static final String READY = "ready";

    private EchoProbe() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println(READY);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println("got " + line);
        }
        System.exit(STATUS);
    }

    /** The program is ready, and goes on when its input ends. */
    static void awaitEndOfInput() throws IOException {
        System.out.println(READY);
        while (System.in.read() >= 0) {}
    }
}
