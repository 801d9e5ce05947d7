/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/plain.h"

#include "clock/process_share.h"
#include "kernel/clockid.h"

/* The share + 1; 0 = no thread without a record has been read yet. */
static uint64_t told_share;

/* Call this before the thread's CPU time is read. A thread that gets a record for it after that then sees that there
 * is a share. */
static uint32_t ensure_share(void)
{
    uint64_t told = __atomic_load_n(&told_share, __ATOMIC_SEQ_CST);
    if (told == 0) {
        uint64_t first = (uint64_t)tclk_share_of_process() + 1;
        told = __atomic_compare_exchange_n(&told_share, &told, first, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? first
                                                                                                                 : told;
    }
    return (uint32_t)(told - 1);
}

int tclk_plain_times(pid_t tid, struct tclk_point *point)
{
    uint32_t share = ensure_share();
    int64_t cpu_ns;
    int error = tclk_clock_read_thread(tid, TCLK_CLOCK_SCHED, &cpu_ns);
    if (error == 0) {
        *point = (struct tclk_point){cpu_ns, tclk_share_of(cpu_ns, share)};
    }
    return error;
}

bool tclk_plain_share(uint32_t *share)
{
    uint64_t told = __atomic_load_n(&told_share, __ATOMIC_SEQ_CST);
    if (told != 0) {
        *share = (uint32_t)(told - 1);
    }
    return told != 0;
}
