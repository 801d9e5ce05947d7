/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>

void *set_bytes(void *to, int byte, size_t count)
{
    for (volatile char *at = to; count > 0; count--) {
        *at++ = (char)byte;
    }
    return to;
}

void *copy_bytes(void *restrict to, const void *restrict from, size_t count)
{
    const char *source = from;
    for (volatile char *at = to; count > 0; count--) {
        *at++ = *source++;
    }
    return to;
}

static long facts(int folder, const char *name, int flags, struct statx *facts)
{
    return tclk_call6(SYS_statx, folder, (long)name, flags | AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, (long)facts, 0);
}

long facts_of(int file, struct statx *its)
{
    return facts(file, "", AT_EMPTY_PATH, its);
}

long facts_at(int folder, const char *name, struct statx *its)
{
    return facts(folder, name, 0, its);
}

long open_at(int folder, const char *name, int flags, int mode)
{
    return tclk_call6(SYS_openat, folder, (long)name, flags | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, mode, 0, 0);
}

long open_ours(const char *path, int flags)
{
    return tclk_call(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC);
}

void close_file(long file)
{
    tclk_call(SYS_close, file, 0, 0);
}

long write_all(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        long written = tclk_call(SYS_write, fd, (long)bytes, (long)count);
        if (written < 0) {
            return written;
        }
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

void sleep_ms(int ms)
{
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    tclk_call(SYS_nanosleep, (long)&time, 0, 0);
}

long now_ms(void)
{
    struct timespec now = {0};
    tclk_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length] != 0) {
        length++;
    }
    return length;
}

bool begins_with(const char *text, const char *prefix)
{
    while (*prefix != 0 && *text == *prefix) {
        text++;
        prefix++;
    }
    return *prefix == 0;
}

bool is(const char *text, const char *other)
{
    return begins_with(text, other) && length_of(text) == length_of(other);
}

uint64_t number(const char **text, unsigned base)
{
    uint64_t value = 0;
    for (;; ++*text) {
        char c = **text;
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : 16;
        if (digit >= base) {
            return value;
        }
        value = value * base + digit;
    }
}
