// SPDX-License-Identifier: Apache-2.0
/**
 * Finds out what a process is, and whether it is a JVM that may be asked. It reads {@code /proc} and the process's
 * files, and does nothing to the process. Every command begins here, because attaching sends SIGQUIT, which ends a
 * process that does not expect it.
 */
package io.threadclock.cli.process;
