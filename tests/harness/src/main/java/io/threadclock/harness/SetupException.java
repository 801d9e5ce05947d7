// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

/**
 * Something outside the program prevents it from working. The message is one line in three parts: what was tried, what
 * answered, what to do. A driver prints it and ends with status 1, because a stack trace would help nobody.
 */
public final class SetupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SetupException(String message) {
        super(message);
    }

    public SetupException(String message, Throwable cause) {
        super(message, cause);
    }
}
