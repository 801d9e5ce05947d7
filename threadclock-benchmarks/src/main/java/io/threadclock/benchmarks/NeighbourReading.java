// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Neighbour;
import io.threadclock.benchmarks.program.Quantity;

/** A read of one other thread's time by its id. */
record NeighbourReading(Neighbour neighbour, Quantity quantity) {}
