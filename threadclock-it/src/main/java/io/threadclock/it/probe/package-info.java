// SPDX-License-Identifier: Apache-2.0
/**
 * Programs that run in child JVMs, stock and with the agent, and print facts of the form {@code name=value}. The tests
 * judge the facts. The programs are compiled for Java 8, and use newer features by reflection.
 */
package io.threadclock.it.probe;
