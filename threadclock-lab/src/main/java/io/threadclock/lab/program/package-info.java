// SPDX-License-Identifier: Apache-2.0
/**
 * The programs that are measured, in child JVMs. Each reads requests from standard input, and answers each with one
 * line.
 */
package io.threadclock.lab.program;
