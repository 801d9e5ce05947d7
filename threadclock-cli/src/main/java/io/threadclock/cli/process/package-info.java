// SPDX-License-Identifier: Apache-2.0
/**
 * What a process is, and whether it is a JVM that may be asked: read from {@code /proc} and from its files, with nothing
 * done to it. Every command begins here, because attaching sends SIGQUIT, which ends a process that does not expect it.
 */
package io.threadclock.cli.process;
