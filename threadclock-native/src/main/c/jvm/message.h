/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_MESSAGE_H
#define TCLK_JVM_MESSAGE_H

/* Writes "threadclock: …" as one line to stderr, by one write(2): other threads' output does not get
 * between. Cut to 511 bytes. */
__attribute__((format(printf, 1, 2))) void tclk_message(const char *format, ...);

#endif
