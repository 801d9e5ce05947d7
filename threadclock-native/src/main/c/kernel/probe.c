/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/probe.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void tclk_probe_sleep(int64_t ns)
{
    struct timespec duration = {.tv_sec = 0, .tv_nsec = (long)ns};
    syscall(SYS_nanosleep, &duration, NULL); /* libc's is a cancellation point: kernel/file.h */
}

void tclk_probe_call(void)
{
    syscall(SYS_gettid);
}

bool tclk_probe_counter_is_enabled(void)
{
    int mode = PR_TSC_ENABLE;
    return prctl(PR_GET_TSC, &mode) != 0 || mode == PR_TSC_ENABLE;
}
