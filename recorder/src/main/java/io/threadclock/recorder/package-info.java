// SPDX-License-Identifier: Apache-2.0
/**
 * Stores the cost of threads: the tables, the embedded QuestDB or the server that holds them, and the page that shows
 * them. This package does not know how a JVM is sampled.
 */
package io.threadclock.recorder;
