/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/thread.h"

#include <stddef.h>

_Thread_local struct tclk_thread tclk_thread;

void tclk_thread_forget_waits(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&tclk_thread.kept.generation, 0, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tclk_thread.kept.storing = false;
}

bool tclk_thread_is(pid_t tid)
{
    return tclk_thread.own != NULL && tclk_record_tid(tclk_thread.own) == tid;
}

void tclk_thread_disarm(void)
{
    if (tclk_thread.own != NULL) {
        tclk_record_disarm(tclk_thread.own);
    }
}
