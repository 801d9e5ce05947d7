// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

/** Nobody reads standard output any more. The command ends without a message, like programs that SIGPIPE ends. */
public final class ClosedOutput extends RuntimeException {
    /** The status by which a shell tells that SIGPIPE has ended a program. */
    public static final int EXIT_STATUS = 128 + 13;

    private static final long serialVersionUID = 1L;

    public ClosedOutput(Throwable cause) {
        super(cause);
    }
}
