// SPDX-License-Identifier: Apache-2.0
/** {@code threadclock top}: CPU usage from snapshots of threads, and the screen that shows it. */
package io.threadclock.cli.top;
