// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

/** The process does not answer now. It may answer later. */
public final class ProcessSilent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ProcessSilent(String why) {
        super(why);
    }
}
