/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/waits.h"

#include "clock/proof.h"
#include "clock/wall.h"
#include "include/threadclock.h"
#include "kernel/proc_status.h"
#include "kernel/schedstat.h"
#include "kernel/usage.h"

#include <errno.h>
#include <stddef.h>

/* ---- what is kept ---- */

/* All stores before this one come before it for the thread's handlers, and all later ones after it. */
static void set_generation(uint32_t generation)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&tclk_thread.kept.generation, generation, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void keep(const struct tclk_kept *fetched)
{
    if (tclk_thread.kept.storing) {
        return;
    }
    tclk_thread.kept.storing = true;
    set_generation(0);
    tclk_thread.kept.waits = fetched->waits;
    tclk_thread.kept.wall = fetched->wall;
    tclk_thread.kept.error = fetched->error;
    set_generation(fetched->generation);
    tclk_thread.kept.storing = false;
}

/* The generation is loaded last: a handler that has armed the marker again has published another one. */
bool tclk_waits_recall(const struct tclk_record *record, struct tclk_waits *waits, int *error)
{
    uint32_t generation = __atomic_load_n(&tclk_thread.kept.generation, __ATOMIC_ACQUIRE);
    if (record == NULL || generation == 0 || generation != tclk_record_generation(record) ||
        record->anchor.window == 0) {
        return false;
    }
    *waits = tclk_thread.kept.waits;
    *error = tclk_thread.kept.error;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    bool holds = tclk_anchor_holds(&record->anchor, tclk_count_read(), record->anchor.window);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return holds && tclk_record_generation(record) == generation;
}

/* The extrapolation checks the marker, after the figures were loaded. */
bool tclk_waits_recall_with_point(struct tclk_record *record, struct tclk_point *point, struct tclk_waits *waits,
                                  int64_t *wall_ns)
{
    uint32_t generation = __atomic_load_n(&tclk_thread.kept.generation, __ATOMIC_ACQUIRE);
    if (record == NULL || generation == 0 || generation != tclk_record_generation(record)) {
        return false;
    }
    *waits = tclk_thread.kept.waits;
    struct tclk_wall wall = tclk_thread.kept.wall;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    bool holds = tclk_record_extrapolate(record, record->anchor.window, point);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (!holds || tclk_record_generation(record) != generation) {
        return false;
    }
    *wall_ns = tclk_thread.wall_returned_ns = tclk_wall_at(&wall, point->cpu_ns);
    return true;
}

/* ---- what the kernel tells ---- */

static const struct tclk_switches unknown_switches = {TCLK_UNKNOWN, TCLK_UNKNOWN};

static struct tclk_waits waits_of(int64_t run_delay_ns, struct tclk_switches switches)
{
    return (struct tclk_waits){run_delay_ns, switches.voluntary, switches.involuntary};
}

static int ask_kernel(struct tclk_waits *waits)
{
    struct tclk_switches switches = unknown_switches;
    struct tclk_schedstat stat;
    int switches_error = tclk_usage_read_switches(&switches);
    int error = tclk_schedstat_read(TCLK_SCHEDSTAT_OF_CALLER, &stat);
    *waits = waits_of(error == 0 ? (int64_t)stat.delay_ns : TCLK_UNKNOWN, switches);
    return switches_error != 0 ? switches_error : error;
}

static bool held_throughout(const struct tclk_record *record, uint32_t generation)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    bool is_marked = record->anchor.window != 0 && tclk_anchor_is_marked(&record->anchor);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return is_marked && tclk_record_generation(record) == generation;
}

/* Figures that the kernel does not tell may be kept as unknown. */
bool tclk_waits_may_be_kept(void)
{
    tclk_proof_try(TCLK_SUBJECT_WAITS);
    enum tclk_refusal refusal = tclk_proof_verdict(TCLK_SUBJECT_WAITS).refusal;
    return refusal == TCLK_ACCEPTED || refusal == TCLK_REFUSED_SCHEDSTAT || refusal == TCLK_REFUSED_NO_SCHED_INFO;
}

bool tclk_waits_fetch(const struct tclk_record *record, struct tclk_waits *waits, int *error)
{
    struct tclk_kept fetched = {.generation = record != NULL ? tclk_record_generation(record) : 0};
    *error = fetched.error = ask_kernel(waits);
    if (record == NULL || !tclk_wall_look(&record->anchor, &fetched.wall) ||
        !held_throughout(record, fetched.generation)) {
        return false;
    }
    fetched.waits = *waits;
    keep(&fetched);
    return true;
}

/* ---- by tid ---- */

/* A thread without a time slice has not run yet, if the kernel counts them. */
static int fetch_delay(pid_t tid, int64_t *run_delay_ns)
{
    struct tclk_schedstat stat;
    int error = tclk_schedstat_read_thread("/proc", tid, &stat);
    if (error == 0) {
        *run_delay_ns = (int64_t)stat.delay_ns;
    } else if (error == -ENODATA && tclk_schedstat_read(TCLK_SCHEDSTAT_OF_CALLER, &stat) == 0) {
        *run_delay_ns = 0;
        error = 0;
    }
    return error;
}

/* The thread may end between the two. */
int tclk_waits_fetch_thread(pid_t tid, struct tclk_waits *waits)
{
    int64_t run_delay_ns = TCLK_UNKNOWN;
    struct tclk_switches switches = unknown_switches;
    int error = fetch_delay(tid, &run_delay_ns);
    int switches_error = error == -ESRCH ? error : tclk_proc_status_read_switches("/proc", tid, &switches);
    *waits = waits_of(run_delay_ns, switches);
    return switches_error != 0 ? switches_error : error;
}
