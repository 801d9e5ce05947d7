/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/libc.h"

#include "kernel/call.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static int result_of(long result)
{
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    return 0;
}

static int call_clock_gettime(clockid_t id, struct timespec *t)
{
    return result_of(tclk_call(SYS_clock_gettime, id, (long)t, 0));
}

static int call_getrusage(int who, struct rusage *usage)
{
    return result_of(tclk_call(SYS_getrusage, who, (long)usage, 0));
}

struct tclk_libc tclk_libc = {call_clock_gettime, call_getrusage};

pid_t (*tclk_libc_vfork)(void) = fork;

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
    find(&tclk_libc_vfork, "vfork");
}
