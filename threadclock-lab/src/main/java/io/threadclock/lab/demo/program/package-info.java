// SPDX-License-Identifier: Apache-2.0
/**
 * What runs inside the child JVMs of the demo: a program around an embedded QuestDB whose worker threads attribute user
 * and CPU time to each unit of work through the unmodified ThreadMXBean, and the bursts of the tick trap.
 */
package io.threadclock.lab.demo.program;
