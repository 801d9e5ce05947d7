/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_TEXT_H
#define TCLK_CLOCK_TEXT_H

#include <stddef.h>

/* A text that is being written. Text that does not fit is not written, but is part of the length. */
struct tclk_text {
    char *start;
    size_t size;
    size_t length;
};

/* Not async-signal-safe: vsnprintf(3). */
__attribute__((format(printf, 2, 3))) void tclk_text_add(struct tclk_text *text, const char *format, ...);

#endif
