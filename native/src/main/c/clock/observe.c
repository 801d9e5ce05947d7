/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/observe.h"

#include "clock/curve.h"
#include "clock/divide/divide.h"
#include "clock/origin.h"
#include "clock/process_share.h"
#include "clock/source.h"
#include "kernel/clockid.h"
#include "kernel/own_memory.h"
#include "kernel/raw_clock.h"
#include "kernel/tid.h"

#include <errno.h>
#include <stddef.h>

/* Whenever a record is made, or left to observers, this many records are checked for threads that have ended. */
#define SWEPT 2

/* The state of one reading of a thread by another one. */
struct observation {
    pid_t tid;
    int64_t cpu_ns; /* the scheduler's clock + the origin */
    struct tclk_past past;
    struct tclk_record *record;
};

/* ---- whether a record is still the thread's ---- */

/* Reads the scheduler's clock; tid 0 is the caller. */
static int read_cpu(struct observation *o, pid_t tid)
{
    o->past = tclk_curve_past(o->record);
    int error = tclk_clock_read_thread(tid, TCLK_CLOCK_SCHED, &o->cpu_ns);
    o->cpu_ns += error == 0 ? o->past.origin.cpu_ns : 0;
    return error;
}

/* The kernel has told less than before. If the process has been restored since the tid was seen, it is the same thread
 * even so, with another origin. True: read the record again. */
static bool resumes(const struct observation *o)
{
    if (tclk_origin_restored_since(tclk_record_seen_ns(o->record)) != TCLK_RESTORED ||
        !tclk_curve_resume(o->record, o->past.origin)) {
        return false;
    }
    tclk_record_note_seen(o->record, tclk_boot_clock_ns());
    return true;
}

int tclk_observed_check_for_caller(struct tclk_record *record, pid_t tid)
{
    struct observation o = {.tid = tid, .record = record};
    int error = read_cpu(&o, 0);
    if (error != 0 || o.cpu_ns >= o.past.least_ns) {
        return error;
    }
    return resumes(&o) ? -EAGAIN : -ESRCH;
}

/* ---- records of ended threads ---- */

static pid_t process;

void tclk_observed_begin_process(void)
{
    process = getpid();
}

bool tclk_observed_is_guest(void)
{
    return getpid() != process && tclk_own_memory_is_shared_with(process);
}

/* The record of a living thread must not be taken away, because the thread may be extrapolating at this moment, and
 * would crash. Therefore the clock's result is not enough: a seccomp filter may have produced it. */
static bool has_ended(pid_t tid)
{
    return getpid() == process && syscall(SYS_tgkill, process, tid, 0) != 0 && errno == ESRCH;
}

/* The thread that hands the record over drops it. Any thread that sees that nobody holds the record may
 * remove it from the directory, so nobody waits for another thread. */
void tclk_observed_drop(struct tclk_record *record, enum tclk_hold hold, pid_t tid)
{
    bool is_mine = hold != TCLK_HOLD_NOBODY && tclk_record_hand_over(record, tid, hold, TCLK_HOLD_NOBODY);
    if (tclk_record_hold_of(record, tid) == TCLK_HOLD_NOBODY) {
        tclk_record_remove(record, tid);
    }
    if (is_mine && hold == TCLK_HOLD_OWNER) {
        tclk_record_disarm(record);
        tclk_samples_end(&record->division);
        tclk_record_detach_ended(record);
    }
    if (is_mine) {
        tclk_record_give(record);
    }
}

/* Whether the owner has ended without giving its record up, and another thread may have its tid. `error` is the
 * kernel's result. A restored thread has less CPU time than before, too. */
static bool is_abandoned(const struct observation *o, int error)
{
    if (error != 0) {
        return error == -ESRCH && has_ended(o->tid);
    }
    return o->cpu_ns < o->past.least_ns &&
           tclk_origin_restored_since(tclk_record_seen_ns(o->record)) == TCLK_RESTORED_NOT;
}

/* A record that is not in the directory is still being made by another thread, which would drop it as well. */
static bool is_in_directory(const struct tclk_record *record, pid_t tid)
{
    return tid != 0 && tclk_record_find(tid) == record;
}

static bool is_left_over(struct tclk_record *record, enum tclk_hold hold, pid_t tid)
{
    struct observation o = {.tid = tid, .record = record};
    int error = read_cpu(&o, tid);
    return hold == TCLK_HOLD_OWNER ? is_abandoned(&o, error) : error == -ESRCH;
}

/* Goes through all records in turn. A counter modulo their number would not do: if the number grows each time a
 * thread ends, it may reach the same few records again and again. */
static uint32_t next_place(void)
{
    static uint32_t hand;
    uint32_t place = __atomic_fetch_add(&hand, 1, __ATOMIC_RELAXED);
    if (place < tclk_record_used()) {
        return place;
    }
    __atomic_store_n(&hand, 1, __ATOMIC_RELAXED);
    return 0;
}

void tclk_observed_sweep(void)
{
    for (int i = 0; i < SWEPT; i++) {
        struct tclk_record *record = tclk_record_at(next_place());
        pid_t tid = record == NULL ? 0 : tclk_record_tid(record);
        enum tclk_hold hold = tid == 0 ? TCLK_HOLD_NOBODY : tclk_record_hold_of(record, tid);
        if (hold != TCLK_HOLD_NOBODY && is_in_directory(record, tid) && is_left_over(record, hold, tid)) {
            tclk_observed_drop(record, hold, tid);
        }
    }
}

/* ---- the record of a tid ---- */

/* Asks the kernel first, so that no record is made for a tid that no thread has. */
static int make_record(struct observation *o)
{
    if (tclk_record_pool_is_dry()) {
        return -ENOMEM;
    }
    o->past.origin = (struct tclk_point){0, 0};
    int error = tclk_clock_read_thread(o->tid, TCLK_CLOCK_SCHED, &o->cpu_ns);
    if (error != 0) {
        return error;
    }
    uint32_t fixed;
    struct tclk_record *record = tclk_record_take(o->tid, TCLK_HOLD_OBSERVERS);
    if (record == NULL) {
        return -ENOMEM;
    }
    tclk_record_note_seen(record, tclk_boot_clock_ns());
    o->record = tclk_record_enter(record);
    if (o->record != record) {
        tclk_record_give(record);
    }
    tclk_observed_sweep();
    /* The time of a thread without a record was told before now, but maybe not before this thread was read. */
    return o->record == NULL ? -ENOMEM : tclk_share_without_record_is_fixed(&fixed) ? -EAGAIN : 0;
}

static bool holds_still(const struct observation *o, enum tclk_hold hold)
{
    return hold != TCLK_HOLD_NOBODY && tclk_record_hold_of(o->record, o->tid) == hold;
}

/* Returns 0, -ESRCH (the record is that of a thread that has ended), or -EAGAIN (read again: the record changes hands
 * at this moment, or its thread has been restored). */
static int check(const struct observation *o, enum tclk_hold hold)
{
    if (o->cpu_ns < o->past.least_ns) {
        if (resumes(o)) {
            return -EAGAIN;
        }
        if (hold != TCLK_HOLD_OWNER || is_abandoned(o, 0)) {
            return -ESRCH;
        }
    }
    return holds_still(o, hold) ? 0 : -EAGAIN;
}

/* Reads the scheduler's clock and makes sure that the record belongs to the thread that was read. */
static int look_at(struct observation *o)
{
    enum tclk_hold hold = tclk_record_hold_of(o->record, o->tid);
    if (hold == TCLK_HOLD_NOBODY) {
        tclk_observed_drop(o->record, hold, o->tid);
        return -EAGAIN;
    }
    int error = read_cpu(o, o->tid);
    int found = error == 0 ? check(o, hold) : error;
    bool is_left = hold == TCLK_HOLD_OWNER && error != 0 ? is_abandoned(o, error) : found == -ESRCH;
    if (is_left) {
        tclk_observed_drop(o->record, hold, o->tid);
    }
    return error == 0 && found == -ESRCH ? -EAGAIN : found;
}

static int begin(struct observation *o)
{
    int error;
    do {
        o->record = tclk_record_find(o->tid);
        error = o->record == NULL ? make_record(o) : look_at(o);
    } while (error == -EAGAIN);
    return error;
}

/* ---- the split ---- */

/* The number of the present tick, 1 to 2^32 - 1; 0 is for a record in which nothing has been noted yet. */
static uint32_t tick_number(void)
{
    return (uint32_t)(tclk_coarse_clock_ns() / (uint64_t)tclk_settings.tick_ns % UINT32_MAX) + 1;
}

/* Asks for the kernel's split once per tick, because it does not change between two ticks. */
static int aim_at(const struct observation *o, struct tclk_aim *aim)
{
    uint32_t tick = tick_number();
    int64_t user_ns;
    int64_t all_ns;
    *aim = (struct tclk_aim){.origin = o->past.origin};
    bool is_known = tclk_looked_load(&o->record->looked, tick, &aim->share);
    if (tclk_record_hold_of(o->record, o->tid) == TCLK_HOLD_OWNER &&
        tclk_divide_share(&o->record->division, &aim->share)) {
        aim->is_slope = true;
        return 0;
    }
    if (is_known) {
        return 0;
    }
    int error = tclk_clock_read_thread(o->tid, TCLK_CLOCK_VIRT, &user_ns);
    if (error == 0) {
        error = tclk_clock_read_thread(o->tid, TCLK_CLOCK_PROF, &all_ns);
    }
    if (error != 0) {
        return error;
    }
    aim->share = tclk_share_between(user_ns, all_ns - user_ns, TCLK_SHARE_ONE);
    tclk_looked_set(&o->record->looked, tick, aim->share);
    return 0;
}

static int advance(const struct observation *o, struct tclk_point *point)
{
    struct tclk_aim aim;
    enum tclk_advance done = tclk_curve_advance(o->record, o->tid, o->cpu_ns, NULL, point);
    if (done == TCLK_ADVANCE_AIMLESS) {
        int error = aim_at(o, &aim);
        if (error != 0) {
            return error;
        }
        done = tclk_curve_advance(o->record, o->tid, o->cpu_ns, &aim, point);
    }
    return done == TCLK_ADVANCE_DONE ? 0 : -EAGAIN;
}

/* ---- the times that a caller asks for ---- */

/* A thread that has entered a record meanwhile may not know what is told here. */
static int observe_plainly(const struct observation *o, struct tclk_point *point)
{
    uint32_t share = tclk_share_without_record();
    int64_t cpu_ns;
    int error = tclk_clock_read_thread(o->tid, TCLK_CLOCK_SCHED, &cpu_ns);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (error == 0 && tclk_record_find(o->tid) != NULL) {
        return -EAGAIN;
    }
    if (error == 0) {
        *point = (struct tclk_point){cpu_ns, tclk_share_of(cpu_ns, share)};
    }
    return error;
}

static int advance_cpu(const struct observation *o, struct tclk_point *point)
{
    point->cpu_ns = o->cpu_ns;
    return tclk_curve_advance_cpu(o->record, o->tid, &point->cpu_ns) == TCLK_ADVANCE_DONE ? 0 : -EAGAIN;
}

static int observe(pid_t tid, int (*advance_record)(const struct observation *, struct tclk_point *),
                   struct tclk_point *point)
{
    struct observation o = {.tid = tid};
    int error;
    tclk_source_ensure();
    do {
        error = begin(&o);
        if (error == 0) {
            error = advance_record(&o, point);
        } else if (error == -ENOMEM) {
            error = observe_plainly(&o, point);
        }
    } while (error == -EAGAIN);
    return error;
}

int tclk_observe_times(pid_t tid, struct tclk_point *point)
{
    return observe(tid, advance, point);
}

int tclk_observe_cpu_ns(pid_t tid, int64_t *cpu_ns)
{
    struct tclk_point point;
    int error = observe(tid, advance_cpu, &point);
    if (error == 0) {
        *cpu_ns = point.cpu_ns;
    }
    return error;
}
