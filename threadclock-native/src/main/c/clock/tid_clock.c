/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/observe.h"
#include "include/threadclock.h"

#include <stddef.h>

/* Where records are not wiped on fork the caller may find, by asking the kernel, that the tid is its parent's. */
static int ask_own(pid_t tid, struct tclk_times *times)
{
    struct tclk_times now = {0};
    int error = tclk_thread_read(&now);
    if (!tclk_thread_is(tid)) {
        return tclk_observe_times(tid, 0, times);
    }
    if (error == 0) {
        *times = now;
    }
    return error;
}

int tclk_tid_read(pid_t tid, struct tclk_times *times)
{
    struct tclk_point now;
    if (!tclk_thread_is(tid)) {
        return tclk_observe_times(tid, 0, times);
    }
    if (!tclk_thread_extrapolate(&tclk_thread, &now)) {
        return ask_own(tid, times);
    }
    *times = (struct tclk_times){now.cpu_ns, now.user_ns, now.cpu_ns - now.user_ns};
    return 0;
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
