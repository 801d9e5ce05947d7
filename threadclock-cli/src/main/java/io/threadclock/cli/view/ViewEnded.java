// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.view;

/** There is nothing to look at any more. The message says why, in a few words. */
public final class ViewEnded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ViewEnded(String why) {
        super(why);
    }
}
