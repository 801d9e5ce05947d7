// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

/**
 * This JVM is about to end, for example after Ctrl-C: nothing new is started, and no child answers. It need not be
 * reported.
 */
public final class EndingException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public EndingException() {
        super("this JVM is ending");
    }
}
