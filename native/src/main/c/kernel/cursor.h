/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_CURSOR_H
#define TCLK_KERNEL_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

/* A place in a text of numbers, as the files of /proc are. A function that returns false has moved the cursor to no
 * useful place, and its result is untouched or unfinished. */
struct tclk_cursor {
    const char *at;
    const char *end;
};

static inline bool tclk_cursor_skip_space(struct tclk_cursor *c)
{
    if (c->at == c->end || *c->at != ' ') {
        return false;
    }
    c->at++;
    return true;
}

/* False: there is no digit, or the number is above 2^64. */
static inline bool tclk_cursor_read_number(struct tclk_cursor *c, uint64_t *number)
{
    const char *start = c->at;
    uint64_t n = 0;
    while (c->at < c->end && *c->at >= '0' && *c->at <= '9') {
        if (__builtin_mul_overflow(n, 10u, &n) || __builtin_add_overflow(n, (uint64_t)(*c->at - '0'), &n)) {
            return false;
        }
        c->at++;
    }
    *number = n;
    return c->at > start;
}

/* A number counts only if something follows it: at the end of a cut line it may lack digits. */
static inline bool tclk_cursor_read_whole_number(struct tclk_cursor *c, uint64_t *number)
{
    return tclk_cursor_read_number(c, number) && c->at < c->end && (*c->at == ' ' || *c->at == '\n');
}

#endif
