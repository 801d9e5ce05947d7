// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

/** Something was to be started while this JVM ends, for example after Ctrl-C. It need not be reported. */
public final class EndingException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public EndingException() {
        super("this JVM is ending: nothing new is started");
    }
}
