// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.threads.VirtualPool;

/** A pool of virtual threads, with its CPU usage, and its mounts per second, between the last two snapshots. */
public record PoolRate(VirtualPool pool, Rate rate, double mountsPerS) {}
