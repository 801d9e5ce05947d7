// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

/** There will be no more snapshots. The message says why, in a few words. */
public final class ProcessEnded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ProcessEnded(String why) {
        super(why);
    }
}
