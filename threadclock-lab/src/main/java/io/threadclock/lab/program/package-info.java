// SPDX-License-Identifier: Apache-2.0
/** The programs that are measured, in child JVMs. Each reads requests from standard input and answers a line each. */
package io.threadclock.lab.program;
