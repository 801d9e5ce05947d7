/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/jdk_ways.h"

#include "kernel/clockid.h"
#include "kernel/proc_stat.h"
#include "kernel/tid.h"

static int read_user(pid_t tid, int64_t *user_ns)
{
    return tclk_source_in_use() == TCLK_SOURCE_PROC
               ? tclk_proc_stat_user_ns("/proc", tid == 0 ? tclk_tid_own() : tid, user_ns)
               : tclk_clock_read_thread(tid, TCLK_CLOCK_VIRT, user_ns);
}

int tclk_jdk_way_read(pid_t tid, enum tclk_asked asked, struct tclk_point *point)
{
    struct tclk_point now = {0};
    int error = 0;
    if (asked != TCLK_ASKED_USER) {
        error = tclk_clock_read_thread(tid, TCLK_CLOCK_SCHED, &now.cpu_ns);
    }
    if (error == 0 && asked != TCLK_ASKED_CPU) {
        error = read_user(tid, &now.user_ns);
    }
    if (error == 0) {
        *point = now;
    }
    return error;
}
