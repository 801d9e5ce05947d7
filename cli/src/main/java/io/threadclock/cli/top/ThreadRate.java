// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.threads.ThreadSnapshot;

/**
 * A thread, and its CPU usage between the last two readings of it.
 *
 * @param waits null: not known
 */
public record ThreadRate(ThreadSnapshot thread, Rate rate, WaitRate waits) {}
