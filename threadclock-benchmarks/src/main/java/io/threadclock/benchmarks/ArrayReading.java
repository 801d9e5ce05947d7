// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Quantity;

/** A read of many threads' times in one call. */
record ArrayReading(int threads, Quantity quantity) {}
