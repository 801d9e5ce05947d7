/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be preloaded: a time of day that somebody sets all the time, an hour forward, two hours back. How
 * often it, and any other clock, was asked for through libc is told at the end:
 *     threadclock-test: time of day N, other clocks N
 */

#include <dlfcn.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

#define HOUR_S 3600

static unsigned long asked;
static unsigned long others;

static time_t step(void)
{
    unsigned long n = __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED);
    return n % 2 == 0 ? HOUR_S : -2 * HOUR_S;
}

static int is_time_of_day(clockid_t id)
{
    return id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    static int (*next)(clockid_t, struct timespec *);
    if (next == NULL) {
        next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    }
    int error = next(id, t);
    if (is_time_of_day(id)) {
        t->tv_sec += step();
    } else {
        __atomic_add_fetch(&others, 1, __ATOMIC_RELAXED);
    }
    return error;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    int error = clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return error;
}

time_t time(time_t *t)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (t != NULL) {
        *t = now.tv_sec;
    }
    return now.tv_sec;
}

__attribute__((destructor)) static void tell(void)
{
    fprintf(stderr, "threadclock-test: time of day %lu, other clocks %lu\n", asked, others);
}
