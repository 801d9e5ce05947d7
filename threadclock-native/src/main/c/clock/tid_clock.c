/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/observe.h"
#include "include/threadclock.h"

#include <stddef.h>

/* Where records are not wiped on fork the caller may have found, by reading, that the tid is its parent's. */
static bool read_own(pid_t tid, struct tclk_times *times, int *error)
{
    if (!tclk_thread_is(tid)) {
        return false;
    }
    struct tclk_times now = *times;
    *error = tclk_thread_read(&now);
    if (!tclk_thread_is(tid)) {
        return false;
    }
    *times = now;
    return true;
}

int tclk_tid_read(pid_t tid, struct tclk_times *times)
{
    int error;
    return read_own(tid, times, &error) ? error : tclk_observe_times(tid, 0, times);
}

int64_t tclk_tid_cpu_ns(pid_t tid)
{
    int64_t cpu_ns;
    if (tclk_thread_is(tid)) {
        cpu_ns = tclk_thread_cpu_ns();
        if (tclk_thread_is(tid)) {
            return cpu_ns;
        }
    }
    int error = tclk_observe_cpu_ns(tid, 0, &cpu_ns);
    return error == 0 ? cpu_ns : error;
}

int64_t tclk_tid_user_ns(pid_t tid)
{
    struct tclk_times times;
    int error = tclk_tid_read(tid, &times);
    return error == 0 ? times.user_ns : error;
}

size_t tclk_tids_read(const pid_t *tids, size_t count, struct tclk_times *times)
{
    size_t read = 0;
    for (size_t i = 0; i < count; i++) {
        int error = tclk_tid_read(tids[i], &times[i]);
        if (error != 0) {
            times[i] = (struct tclk_times){error, error, error};
        }
        read += error == 0;
    }
    return read;
}
