/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/libc.h"

#include "kernel/call.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static long result_of(long result)
{
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

static int call_clock_gettime(clockid_t id, struct timespec *t)
{
    return (int)result_of(tclk_call(SYS_clock_gettime, id, (long)t, 0));
}

static int call_getrusage(int who, struct rusage *usage)
{
    return (int)result_of(tclk_call(SYS_getrusage, who, (long)usage, 0));
}

static long call_with(long number, long first, va_list rest)
{
    long a[5];
    for (int i = 0; i < 5; i++) {
        a[i] = va_arg(rest, long);
    }
    return result_of(tclk_call6(number, first, a[0], a[1], a[2], a[3], a[4]));
}

static int call_prctl(int option, ...)
{
    va_list rest;
    va_start(rest, option);
    int result = (int)call_with(SYS_prctl, option, rest);
    va_end(rest);
    return result;
}

static long call_syscall(long number, ...)
{
    va_list arguments;
    va_start(arguments, number);
    long first = va_arg(arguments, long);
    long result = call_with(number, first, arguments);
    va_end(arguments);
    return result;
}

struct tclk_libc tclk_libc = {call_clock_gettime, call_getrusage, call_prctl};

pid_t (*tclk_libc_vfork)(void) = fork;

long (*tclk_libc_syscall)(long number, ...) = call_syscall;

/* Another thread may call the function meanwhile. */
static void find(void *function, const char *name)
{
    void *next = dlsym(RTLD_NEXT, name);
    if (next != NULL) {
        __atomic_store_n((void **)function, next, __ATOMIC_RELEASE);
    }
}

void tclk_libc_find(void)
{
    find(&tclk_libc.clock_gettime, "clock_gettime");
    find(&tclk_libc.getrusage, "getrusage");
    find(&tclk_libc.prctl, "prctl");
    find(&tclk_libc_syscall, "syscall");
    find(&tclk_libc_vfork, "vfork");
}
