// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * The clock cannot be read in this JVM. The message says what was tried, what answered and what to do; each attempt to
 * load the native library is a suppressed exception. Every call throws it until the JVM ends. Where the clock is not
 * supported, the JDK's {@code ThreadMXBean} stands in, so this is thrown only if that tells no CPU times either, or the
 * property {@code threadclock.strict} is set. Code that must also run without figures asks
 * {@link ThreadClock#canRead()} first.
 *
 * @since 0.1
 */
public final class ClockUnavailableException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    ClockUnavailableException(String message) {
        super(message);
    }
}
