/* SPDX-License-Identifier: Apache-2.0 */
#include "include/threadclock.h"

#include "clock/proof.h"
#include "clock/record.h"
#include "clock/resync.h"
#include "clock/scale.h"
#include "clock/source.h"
#include "kernel/clockid.h"
#include "kernel/proc_stat.h"
#include "kernel/tid.h"
#include "kernel/usage.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>

/* What a caller wants to know; only the comparison sources make a difference. */
enum wanted { CPU, USER, BOTH };

static _Thread_local struct tclk_record *own_record;

/* The same, but NULL in a thread that may not read the counter. */
static _Thread_local struct tclk_record *counting_record;

static pthread_key_t at_thread_end;
static bool has_thread_end;

/* ---- a thread's birth and death ---- */

/* A read after this (in another key's destructor) takes a new record, and this runs again. */
static void thread_ends(void *record)
{
    counting_record = NULL;
    own_record = NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tclk_record_give(record);
}

/* fork() leaves the child with one thread, whose CPU time starts at 0. */
static void child_begins(void)
{
    counting_record = NULL;
    own_record = NULL;
    if (has_thread_end) {
        pthread_setspecific(at_thread_end, NULL);
    }
    tclk_record_forget_all();
    tclk_proof_after_fork();
    tclk_calibration_after_fork();
}

__attribute__((constructor)) static void library_is_loaded(void)
{
    tclk_rseq_setup();
    has_thread_end = pthread_key_create(&at_thread_end, thread_ends) == 0;
    pthread_atfork(NULL, NULL, child_begins);
}

/* Without a thread-end key a record would never come back: such a process gets none. */
static struct tclk_record *attach(void)
{
    struct tclk_record *record = has_thread_end ? tclk_record_take() : NULL;
    if (record == NULL) {
        return NULL;
    }
    /* A signal handler of this thread may have attached in the meantime: its record is the one. */
    struct tclk_record *handlers = NULL;
    if (!__atomic_compare_exchange_n(&own_record, &handlers, record, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED)) {
        tclk_record_give(record);
        return handlers;
    }
    if (pthread_setspecific(at_thread_end, record) != 0) {
        thread_ends(record);
        return NULL;
    }
    counting_record = record->counter_refused ? NULL : record;
    return record;
}

/* ---- reading ---- */

static int read_user_as_others_do(int64_t *ns)
{
    return tclk_source_in_use() == TCLK_SOURCE_PROC
               ? tclk_proc_stat_user_ns("/proc", tclk_tid_own(), ns)
               : tclk_clock_read_own(TCLK_CLOCK_VIRT, ns);
}

/* The comparison sources are shown as they are: nothing is made monotone or consistent, and only what
 * was asked for is read. */
static int read_as_others_do(enum wanted wanted, struct tclk_point *point)
{
    struct tclk_point now = {0};
    int error = wanted == USER ? 0 : tclk_clock_read_own(TCLK_CLOCK_SCHED, &now.cpu_ns);
    if (error == 0 && wanted != CPU) {
        error = read_user_as_others_do(&now.user_ns);
    }
    if (error == 0) {
        *point = now;
    }
    return error;
}

/* A thread that could not get a record: the kernel's word, made no more consistent than it is. */
static int read_without_record(struct tclk_point *point)
{
    struct tclk_point now;
    struct tclk_usage usage;
    int error = tclk_clock_read_own(TCLK_CLOCK_SCHED, &now.cpu_ns);
    if (error == 0) {
        error = tclk_usage_read(&usage);
    }
    if (error == 0) {
        now.user_ns = usage.user_ns < now.cpu_ns ? usage.user_ns : now.cpu_ns;
        *point = now;
    }
    return error;
}

static bool is_for_comparison(void)
{
    enum tclk_source source = tclk_source_in_use();
    return source == TCLK_SOURCE_TICKS || source == TCLK_SOURCE_PROC ||
           tclk_settings.split == TCLK_SPLIT_TICKS;
}

static int ask_kernel(enum wanted wanted, struct tclk_point *point)
{
    tclk_source_ensure();
    struct tclk_record *record = own_record != NULL ? own_record : attach();
    if (record == NULL) {
        return read_without_record(point);
    }
    if (record->tid == 0) {
        tclk_record_claim(record);
    }
    record->reads++;
    if (is_for_comparison()) {
        tclk_record_disarm(record);
        return read_as_others_do(wanted, point);
    }
    if (record->counted_window != 0 &&
        tclk_record_extrapolate(record, record->counted_window, point)) {
        return 0;
    }
    return tclk_resync(record, point);
}

/* A signal handler's errno is the interrupted program's. */
static int read_slowly(enum wanted wanted, struct tclk_point *point)
{
    int saved = errno;
    int error = ask_kernel(wanted, point);
    errno = saved;
    return error;
}

static inline bool extrapolate(struct tclk_point *point)
{
    struct tclk_record *record = counting_record;
    return record != NULL && tclk_record_extrapolate(record, record->anchor.window, point);
}

/* The slow halves are functions of their own, so that the fast ones need no stack frame. */
__attribute__((noinline, cold)) static int64_t cpu_ns_slowly(void)
{
    struct tclk_point now;
    int error = read_slowly(CPU, &now);
    return error == 0 ? now.cpu_ns : error;
}

__attribute__((noinline, cold)) static int64_t user_ns_slowly(void)
{
    struct tclk_point now;
    int error = read_slowly(USER, &now);
    return error == 0 ? now.user_ns : error;
}

static inline struct tclk_times times_of(struct tclk_point now)
{
    return (struct tclk_times){now.cpu_ns, now.user_ns, now.cpu_ns - now.user_ns};
}

__attribute__((noinline, cold)) static int times_slowly(struct tclk_times *times)
{
    struct tclk_point now;
    int error = read_slowly(BOTH, &now);
    if (error == 0) {
        *times = times_of(now);
    }
    return error;
}

int64_t tclk_thread_cpu_ns(void)
{
    struct tclk_point now;
    return __builtin_expect(extrapolate(&now), 1) ? now.cpu_ns : cpu_ns_slowly();
}

int64_t tclk_thread_user_ns(void)
{
    struct tclk_point now;
    return __builtin_expect(extrapolate(&now), 1) ? now.user_ns : user_ns_slowly();
}

int tclk_thread_read(struct tclk_times *times)
{
    struct tclk_point now;
    if (__builtin_expect(!extrapolate(&now), 0)) {
        return times_slowly(times);
    }
    *times = times_of(now);
    return 0;
}

/* ---- the process ---- */

int tclk_clock_configure(const struct tclk_config *config)
{
    int error = tclk_source_configure(config);
    if (error == 0 && own_record != NULL) {
        tclk_record_disarm(own_record);
    }
    return error;
}

enum tclk_source tclk_clock_source(void)
{
    int saved = errno;
    tclk_source_ensure();
    errno = saved;
    enum tclk_source source = tclk_source_in_use();
    return source == TCLK_SOURCE_AUTO ? TCLK_SOURCE_CLOCK : source;
}

void tclk_clock_stats(struct tclk_stats *stats)
{
    tclk_record_sum(stats);
    stats->demotions = tclk_source_demotions();
}
