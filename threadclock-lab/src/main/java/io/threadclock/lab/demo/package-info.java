// SPDX-License-Identifier: Apache-2.0
/**
 * The driver of {@code ./threadclock demo}: runs the program in child JVMs, with and without the agent, and reports.
 */
package io.threadclock.lab.demo;
