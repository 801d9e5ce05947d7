/* SPDX-License-Identifier: Apache-2.0 */

/* To be preloaded after libthreadclock-preload.so, so that this constructor runs before that library's. */

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern int early_wrong;
int early_wrong = -1;

static long long ns_of(const struct timespec *t)
{
    return t->tv_sec * 1000000000LL + t->tv_nsec;
}

static int is_wrong(clockid_t id)
{
    struct timespec before;
    struct timespec now;
    struct timespec after;
    syscall(SYS_clock_gettime, id, &before);
    int error = clock_gettime(id, &now);
    syscall(SYS_clock_gettime, id, &after);
    return error != 0 || ns_of(&before) > ns_of(&now) || ns_of(&now) > ns_of(&after);
}

/* The number of mappings of this process, so far as it fits. */
static int mappings(void)
{
    static char text[1 << 16];
    int lines = 0;
    int file = open("/proc/self/maps", O_RDONLY);
    ssize_t got;
    while ((got = read(file, text, sizeof text)) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            lines += text[i] == '\n';
        }
    }
    close(file);
    return lines;
}

/* The clock, which has not been set up yet, must not begin: it would try its sources in vain. It maps memory then. */
__attribute__((constructor)) static void read_early(void)
{
    struct rusage usage;
    int before = mappings();
    early_wrong = is_wrong(CLOCK_THREAD_CPUTIME_ID) + is_wrong(CLOCK_MONOTONIC) +
                  is_wrong((clockid_t)((~(unsigned)getpid() << 3) | 6u)) + (getrusage(RUSAGE_THREAD, &usage) != 0);
    early_wrong += mappings() != before;
}
