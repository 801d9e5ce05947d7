// SPDX-License-Identifier: Apache-2.0
/** Flame graphs of an engine, with the stock ThreadMXBean and with threadclock's. */
package io.threadclock.lab.flame;
