// SPDX-License-Identifier: Apache-2.0
/**
 * Snapshots of all threads of a JVM. {@link io.threadclock.cli.threads.AgentThreadReader} takes them through the agent,
 * {@link io.threadclock.cli.threads.ProcThreadReader} from outside.
 */
package io.threadclock.cli.threads;
