// SPDX-License-Identifier: Apache-2.0
package io.threadclock.diagnostics;

/**
 * Why a reading asked the kernel: {@link ClockStats#resyncs(ResyncCause)}. The order is that of {@code tclk_stats}.
 *
 * @since 0.1
 */
public enum ResyncCause {
    /** It was the first reading of its thread. */
    FIRST,
    /** The thread had been switched out, or had got a signal. */
    SWITCH,
    /** The window was over: the kernel is asked again after 4 ms, unless an option says otherwise. */
    WINDOW,
    /** The last reading was ahead of the kernel, which had to catch up. */
    AHEAD,
    /** A signal handler read the clock inside a reading. */
    OVERLAP,
    /** The thread has no detector, so each of its readings asks the kernel. */
    UNARMED
}
