// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/** An {@link EchoProbe} with threads whose names control a terminal, within what the kernel keeps of a name. */
public final class HostileProbe {
    public static final String ESCAPES = "\u001b[2J\u009bm\u202e";
    public static final String LINES = "evil\u0007\r\n4711 R x";

    private HostileProbe() {}

    public static void main(String[] arguments) throws IOException {
        for (String name : new String[] {ESCAPES, LINES}) {
            Thread thread = new Thread(LockSupport::park, name);
            thread.setDaemon(true);
            thread.start();
        }
        EchoProbe.main(arguments);
    }
}
