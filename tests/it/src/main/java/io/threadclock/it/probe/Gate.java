// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.EOFException;
import java.io.IOException;

/** A point at which a probe waits until its driver has attached or detached the agent. */
final class Gate {
    private Gate() {}

    static void await(String name) throws IOException {
        Boost.at(name);
        System.out.println("gate " + name);
        if (System.in.read() < 0) {
            throw new EOFException("waiting at gate " + name + ": standard input has ended. Send a line.");
        }
    }
}
