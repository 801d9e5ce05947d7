/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_HELPER_CALL_H
#define TCLK_HELPER_CALL_H

#include <linux/stat.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The helper's system calls. It has no libc: in another mount namespace libc would read files that are the target's
 * (nsswitch.conf, locales, gconv, shared objects). Each returns the kernel's result, or -errno.
 */
static inline long call6(long number, long first, long second, long third, long fourth, long fifth, long sixth)
{
#if defined(__x86_64__)
    long result = number;
    register long r10 __asm__("r10") = fourth;
    register long r8 __asm__("r8") = fifth;
    register long r9 __asm__("r9") = sixth;
    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "D"(first), "S"(second), "d"(third), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = first;
    register long x1 __asm__("x1") = second;
    register long x2 __asm__("x2") = third;
    register long x3 __asm__("x3") = fourth;
    register long x4 __asm__("x4") = fifth;
    register long x5 __asm__("x5") = sixth;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#endif
}

static inline long call(long number, long first, long second, long third)
{
    return call6(number, first, second, third, 0, 0, 0);
}

/* The facts of a file that is held, or of a name in a folder that is; no link is followed. */
long facts_of(int file, struct statx *its);
long facts_at(int folder, const char *name, struct statx *its);

/* Opens a name in a folder; no link is followed. */
long open_at(int folder, const char *name, int flags, int mode);

/* Opens a file by a path in which links are followed: one that nobody but root and this user can change. */
long open_ours(const char *path, int flags);

/* Writes all of it, or says why not. */
long write_all(int fd, const char *bytes, size_t count);

void sleep_ms(int ms);
long now_ms(void);

/* The compiler makes calls of these from plain C, by these names. */
void *set_bytes(void *to, int byte, size_t count) __asm__("memset");
void *copy_bytes(void *restrict to, const void *restrict from, size_t count) __asm__("memcpy");

size_t length_of(const char *text);
bool begins_with(const char *text, const char *prefix);
/* The number at the beginning of the text, which is moved behind it. */
uint64_t number(const char **text, unsigned base);

#endif
