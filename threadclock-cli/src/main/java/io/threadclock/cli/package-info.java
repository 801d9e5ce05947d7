// SPDX-License-Identifier: Apache-2.0
/**
 * The command line: one class per subcommand. What a process is, is read from {@code /proc} before anything is done to
 * it, because attaching sends SIGQUIT, which ends a process that does not expect it.
 */
package io.threadclock.cli;
