// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.view;

/** The process does not answer now; it may later. */
public final class ViewSilent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ViewSilent(String why) {
        super(why);
    }
}
