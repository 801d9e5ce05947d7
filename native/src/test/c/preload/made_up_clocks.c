/* SPDX-License-Identifier: Apache-2.0 */

/* To be preloaded, as libfaketime is: libc's wall clocks run at MADE_UP_RATE times their rate; 0: they stand still. */

#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000LL
#define CLOCKS 16

static long long kernel_ns(clockid_t id)
{
    struct timespec t = {0, 0};
    syscall(SYS_clock_gettime, id, &t);
    return t.tv_sec * NS_PER_S + t.tv_nsec;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    static long long first_ns[CLOCKS];
    if (id < 0 || id >= CLOCKS || id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID) {
        return (int)syscall(SYS_clock_gettime, id, t);
    }
    long long now_ns = kernel_ns(id);
    long long none = 0;
    __atomic_compare_exchange_n(&first_ns[id], &none, now_ns, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    long long made_up_ns = first_ns[id] + (long long)((double)(now_ns - first_ns[id]) * atof(getenv("MADE_UP_RATE")));
    *t = (struct timespec){made_up_ns / NS_PER_S, made_up_ns % NS_PER_S};
    return 0;
}
