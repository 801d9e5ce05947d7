// SPDX-License-Identifier: Apache-2.0
/**
 * What threads have cost, kept: the tables, the embedded QuestDB that has them, or a server elsewhere, and the page that
 * shows them. Knows nothing of how a JVM is looked at.
 */
package io.threadclock.recorder;
