// SPDX-License-Identifier: Apache-2.0
/**
 * Gets the agent into a JVM: with a library that the JVM can load, at a path that it sees, as the user whom it obeys.
 */
package io.threadclock.cli.attach;
