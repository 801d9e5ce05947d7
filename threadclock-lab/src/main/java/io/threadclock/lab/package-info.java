// SPDX-License-Identifier: Apache-2.0
/** {@code ./threadclock bench}: the driver that runs the benchmarks and writes down what they measured. */
package io.threadclock.lab;
