/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_HELPER_CALL_H
#define TCLK_HELPER_CALL_H

#include "kernel/call.h"

#include <linux/stat.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the helper has of its own in place of libc, which in another mount namespace would read files that are the
 * target's (nsswitch.conf, locales, gconv, shared objects). Each returns the kernel's result, or -errno.
 */

/* The facts of a file that is held, or of a name in a folder that is; no link is followed. */
long facts_of(int file, struct statx *its);
long facts_at(int folder, const char *name, struct statx *its);

/* Opens a name in a folder; no link is followed. */
long open_at(int folder, const char *name, int flags, int mode);

/* Opens a file by a path in which links are followed: one that nobody but root and this user can change. */
long open_ours(const char *path, int flags);

void close_file(long file);

/* Writes all of it, or says why not. */
long write_all(int fd, const char *bytes, size_t count);

void sleep_ms(int ms);
long now_ms(void);

/* The compiler makes calls of these from plain C, by these names. */
void *set_bytes(void *to, int byte, size_t count) __asm__("memset");
void *copy_bytes(void *restrict to, const void *restrict from, size_t count) __asm__("memcpy");

size_t length_of(const char *text);
bool begins_with(const char *text, const char *prefix);
bool is(const char *text, const char *other);
/* The number at the beginning of the text, which is moved behind it. */
uint64_t number(const char **text, unsigned base);

#endif
