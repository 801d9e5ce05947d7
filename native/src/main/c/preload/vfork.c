/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/vfork.h"

#include "clock/thread.h"
#include "kernel/tid.h"

/* The tid of the thread that has vforked; 0 = it has not, or has read the clock since. */
static _Thread_local pid_t parent;

void tclk_vfork_begins(void)
{
    parent = tclk_tid_own();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tclk_thread.counting = NULL;
}

bool tclk_vfork_is_child(void)
{
    if (parent == 0) {
        return false;
    }
    if (parent != tclk_tid_own()) {
        return true;
    }
    parent = 0;
    return false;
}

void tclk_vfork_after_fork(void)
{
    parent = 0;
}
