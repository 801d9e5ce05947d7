// SPDX-License-Identifier: Apache-2.0
/** Pictures of where an engine's time goes, with the stock ThreadMXBean and with threadclock's. */
package io.threadclock.lab.flame;
