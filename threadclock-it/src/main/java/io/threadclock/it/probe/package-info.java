// SPDX-License-Identifier: Apache-2.0
/**
 * Programs that run in child JVMs, stock and with the agent, and print facts of the form {@code name=value}. They judge
 * nothing: the tests do. Compiled for Java 8; whatever is newer is reached by reflection.
 */
package io.threadclock.it.probe;
