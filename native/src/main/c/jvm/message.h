/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_MESSAGE_H
#define TCLK_JVM_MESSAGE_H

#include <stddef.h>

/* Writes "threadclock: …" as one line to stderr, by one write(2), so that other threads' output does not get
 * between. Cut to 511 bytes. */
__attribute__((format(printf, 1, 2))) void tclk_message(const char *format, ...);

/* From now on, the calling thread's messages go into `text`, without the prefix and the line's end; a message
 * replaces the one before. NULL: to stderr again. */
void tclk_message_into(char *text, size_t size);

#endif
