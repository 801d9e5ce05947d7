// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

/** How long a run may take. */
enum BenchLength {
    QUICK,
    USUAL,
    FULL
}
