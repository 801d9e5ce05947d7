/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_HELPER_COMMAND_H
#define TCLK_HELPER_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The connection to the command. A request is its length (uint32_t) and so many bytes: words, each with a zero at its
 * end. It has one reply for each thing that it asks for, in frames: the number of the request, the frame's length (both
 * uint32_t), and so many bytes. A reply is a frame with a line, STEP NUMBER: "ok 0", or at which step this has failed,
 * and the errno, user or other number that this is about; then the content, if there is any; then an empty frame.
 *
 * The command may give up waiting at any moment, and ask for the next thing. Frames of former numbers are passed over
 * there. A request without words only makes it give up what is still sent.
 */
enum { FRAME_HEAD = 8, FRAME_BYTES = 1 << 16, REQUEST_BYTES = 1 << 15 };

extern int command;

/* The number of the request that is served. */
uint32_t request_number(void);

/* Waits for a request; false if the command has hung up, or sends none that is one. */
bool receive(void);

/* The next word of the request; empty if there is none. */
const char *word(void);
bool has_words(void);

/* What follows the words that were taken. */
const char *rest(size_t *bytes);

void send_frame(const void *bytes, size_t count);
/* The line of a reply. */
void begin(const char *step, unsigned long about);
/* A reply without content. */
void answer(const char *step, unsigned long about);
/* Whether this has failed; then it is answered. */
bool has_failed(long result, const char *step);

bool command_has_gone(void);

_Noreturn void leave(void);

#endif
