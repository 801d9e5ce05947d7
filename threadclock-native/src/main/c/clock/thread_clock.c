/* SPDX-License-Identifier: Apache-2.0 */
#include "include/threadclock.h"

#include "clock/curve.h"
#include "clock/divide/divide.h"
#include "clock/explain.h"
#include "clock/first_copy.h"
#include "clock/jdk_ways.h"
#include "clock/notes.h"
#include "clock/observe.h"
#include "clock/proof.h"
#include "clock/record.h"
#include "clock/resync.h"
#include "clock/scale.h"
#include "clock/source.h"
#include "clock/thread_clock.h"
#include "clock/waits.h"
#include "kernel/clockid.h"
#include "kernel/filter.h"
#include "kernel/fork.h"
#include "kernel/probe.h"
#include "kernel/raw_clock.h"
#include "kernel/signals.h"
#include "kernel/tid.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static _Thread_local struct tclk_record *own_record;

_Thread_local struct tclk_thread tclk_thread;

/* Set when the thread begins to end. */
static _Thread_local bool ending;

static pthread_key_t at_thread_end;
static bool has_thread_end;

/* ---- the begin and end of a thread ---- */

/* In this order: a handler that comes in between still sets tclk_thread.counting while the record is its thread's own.
 */
static void forget_own(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    own_record = NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tclk_thread.counting = NULL;
    tclk_waits_forget();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (has_thread_end) {
        pthread_setspecific(at_thread_end, NULL);
    }
}

/* The thread may go on for a while in the destructors of other keys, and its signal handlers run until the very end.
 * They read it as other threads do, which drop the record when the thread is gone. Only the record knows what
 * has been told of the thread. */
static void thread_ends(void *own)
{
    struct tclk_record *record = own;
    pid_t tid = tclk_record_tid(record);
    ending = true; /* first: a handler that finds no record takes none then */
    forget_own();
    tclk_divide_end(record);
    tclk_record_detach(record);
    tclk_curve_set_free(record);
    tclk_record_note_seen(record, tclk_boot_clock_ns());
    if (tclk_record_hand_over(record, tid, TCLK_HOLD_OWNER, TCLK_HOLD_ENDED)) {
        tclk_observed_sweep();
    }
}

static void forget_parent(void)
{
    forget_own();
    ending = false;
    bool has_records = tclk_first_copy() == NULL && !tclk_filter_forbids();
    tclk_record_after_fork(has_records);
    tclk_divide_after_fork();
    tclk_proof_open();
    tclk_calibration_after_fork();
    if (has_records) {
        tclk_observed_begin_process();
    }
}

/* In a child, fork() leaves one thread, whose CPU time starts at 0. A signal handler that reads would take a record
 * from a pool that is being emptied. */
static void child_begins(void)
{
    struct tclk_signals signals = tclk_signals_hold();
    forget_parent();
    tclk_signals_release(signals);
}

static bool is_own(const void *table, const char *path, void *found)
{
    bool is_found = table == &tclk_own_copy;
    *(const char **)found = is_found ? path : "";
    return is_found;
}

/* From here on, libc calls thread_ends() and child_begins(), and later copies this one. An object that contains the
 * static library may not have been linked with -z nodelete. Linkers warn of dlopen() in static programs, in which
 * nothing is found here. Nobody unloads the program itself, which has no path. */
static void stay_loaded(void)
{
    const char *path = "";
    void *(*open)(const char *path, int mode);
    *(void **)&open = dlsym(RTLD_DEFAULT, "dlopen");
    tclk_notes_search(TCLK_NOTE_COPY, is_own, &path);
    if (open != NULL && path[0] != '\0') {
        open(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    }
}

/* It has a priority because it must run before the constructor of preload/. */
__attribute__((constructor(101))) static void library_is_loaded(void)
{
    stay_loaded();
    tclk_first_copy_find(&tclk_own_copy);
    tclk_rseq_setup();
    tclk_observed_begin_process();
    has_thread_end = pthread_key_create(&at_thread_end, thread_ends) == 0;
    tclk_fork_watch(child_begins);
    tclk_proof_open();
}

/* Takes a record that is found under its tid from the start. False: there is no record, or an observer has entered
 * one meanwhile. */
static bool take_new(pid_t tid, struct tclk_record **record)
{
    *record = tclk_record_take(tid, TCLK_HOLD_OWNER);
    if (*record == NULL) {
        return false;
    }
    tclk_record_note_seen(*record, tclk_boot_clock_ns());
    struct tclk_record *entered = tclk_record_enter(*record);
    bool is_new = entered == *record;
    if (!is_new) {
        tclk_record_give(*record);
    }
    *record = entered;
    tclk_observed_sweep();
    return is_new;
}

/* Takes the record that observers have made for this thread. Takes a new one if there is none, or if it belongs to a
 * thread that had this tid before. A record that an owner holds, or whose thread is at its end, surely does. */
static struct tclk_record *find_or_take(pid_t tid)
{
    for (;;) {
        struct tclk_record *record = tclk_record_find(tid);
        bool is_new = record == NULL && take_new(tid, &record);
        if (is_new || record == NULL) {
            return record;
        }
        enum tclk_hold hold = tclk_record_hold_of(record, tid);
        int error = hold == TCLK_HOLD_OBSERVERS ? tclk_observed_check_for_caller(record, tid) : -ESRCH;
        if (error == 0 && tclk_record_hand_over(record, tid, TCLK_HOLD_OBSERVERS, TCLK_HOLD_OWNER)) {
            return record;
        }
        if (error == -EAGAIN) {
            continue;
        }
        tclk_observed_drop(record, hold, tid);
        if (error != 0 && error != -ESRCH) { /* nobody can tell whose the record is, so the thread gets none */
            return NULL;
        }
    }
}

static struct tclk_record *take_own_alone(void)
{
    struct tclk_record *record = find_or_take(tclk_tid_own());
    if (record == NULL) {
        return NULL;
    }
    record->own.counter_refused = !tclk_probe_counter_is_enabled();
    own_record = record;
    if (pthread_setspecific(at_thread_end, record) != 0) {
        thread_ends(record);
        return NULL;
    }
    return record;
}

/* Returns NULL if the thread must be read as other threads read it. Without a thread-end key, only they would
 * drop its record. A child that shares its parent's memory shares the words above as well.
 *
 * Signals are blocked, because a signal handler that reads would take one as well, and neither could tell the other's
 * record from one left behind. A handler runs after this; or it ran just before, and there is a record.
 *
 * Not inlined: the caller's frame is beneath every reading's. */
__attribute__((noinline)) static struct tclk_record *take_own(void)
{
    if (!has_thread_end || ending || tclk_filter_forbids() || tclk_observed_is_guest()) {
        return NULL;
    }
    struct tclk_signals signals = tclk_signals_hold();
    struct tclk_record *record = own_record;
    if (record == NULL && signals.are_held) {
        record = take_own_alone();
    }
    tclk_signals_release(signals);
    return record;
}

bool tclk_thread_is(pid_t tid)
{
    return own_record != NULL && tclk_record_is_of(own_record, tid);
}

/* ---- reading ---- */

__attribute__((noinline)) static int ask_as_others_do(struct tclk_point *point)
{
    struct tclk_times times;
    int error = tclk_observe_times(tclk_tid_own(), &times);
    if (error == 0) {
        *point = (struct tclk_point){times.cpu_ns, times.user_ns};
    }
    return error;
}

/* A thread without an armed detector need not read the counter in vain. */
static void count_if_armed(struct tclk_record *record)
{
    bool counts = record == own_record && !record->own.counter_refused && record->anchor.window != 0;
    tclk_thread.counting = counts ? record : NULL;
}

static int ask_kernel(enum tclk_asked asked, struct tclk_point *point)
{
    tclk_source_ensure();
    struct tclk_record *record = own_record != NULL ? own_record : take_own();
    if (tclk_filter_forbids() && (record == NULL || tclk_record_tid(record) == 0)) {
        return tclk_jdk_way_read(0, asked, point); /* no more than the CPU time */
    }
    if (record == NULL) {
        return ask_as_others_do(point);
    }
    if (tclk_record_tid(record) == 0) { /* wiped by a fork that libc does not know of */
        tclk_waits_forget();            /* first: a handler that finds a record of this thread's may keep some */
        tclk_record_own(record);
        tclk_record_enter(record);
    }
    if (tclk_jdk_way_is_used()) {
        tclk_record_disarm(record);
        return tclk_jdk_way_read(0, asked, point);
    }
    int error = tclk_resync(record, point);
    count_if_armed(record);
    return error;
}

static int ask_first_copy(const struct tclk_copy *first, struct tclk_point *point)
{
    struct tclk_times times;
    int error = first->thread_read(&times);
    if (error == 0) {
        *point = (struct tclk_point){times.cpu_ns, times.user_ns};
    }
    return error;
}

/* A signal handler must keep the errno of the interrupted program. */
static int read_slowly(enum tclk_asked asked, struct tclk_point *point)
{
    const struct tclk_copy *first = tclk_first_copy();
    if (first != NULL) {
        return ask_first_copy(first, point);
    }
    int saved = errno;
    int error = ask_kernel(asked, point);
    errno = saved;
    return error;
}

static inline bool extrapolate(struct tclk_point *point)
{
    return tclk_thread_extrapolate(&tclk_thread, point);
}

/* The slow parts are functions of their own, so that the fast ones need no stack frame. */
__attribute__((noinline, cold)) static int64_t cpu_ns_slowly(void)
{
    struct tclk_point now;
    int error = read_slowly(TCLK_ASKED_CPU, &now);
    return error == 0 ? now.cpu_ns : error;
}

__attribute__((noinline, cold)) static int64_t user_ns_slowly(void)
{
    struct tclk_point now;
    int error = read_slowly(TCLK_ASKED_USER, &now);
    return error == 0 ? now.user_ns : error;
}

static inline struct tclk_times times_of(struct tclk_point now)
{
    return (struct tclk_times){now.cpu_ns, now.user_ns, now.cpu_ns - now.user_ns};
}

__attribute__((noinline, cold)) static int times_slowly(struct tclk_times *times)
{
    struct tclk_point now;
    int error = read_slowly(TCLK_ASKED_BOTH, &now);
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

/* ---- how the thread has waited ---- */

static bool source_has_detector(void)
{
    enum tclk_source source = tclk_source_in_use();
    return source == TCLK_SOURCE_RSEQ || source == TCLK_SOURCE_PERF || source == TCLK_SOURCE_IDS;
}

/* Reads the clock, if the source has a detector, so that there is an anchor. NULL: none is armed even so. */
static struct tclk_record *anchored(void)
{
    tclk_source_ensure();
    if (!source_has_detector() || tclk_thread_cpu_ns() < 0) {
        return NULL;
    }
    struct tclk_record *record = own_record;
    bool is_armed = record != NULL && record->anchor.window != 0;
    return is_armed ? record : NULL;
}

/* After this many fetches with a switch in each, the last one is returned and not kept. */
#define FETCHES_MAX 3

static int ask_kernel_for_waits(struct tclk_waits *waits)
{
    int error = 0;
    bool keeps = tclk_waits_may_be_kept();
    for (int i = 0; i < FETCHES_MAX; i++) {
        const struct tclk_record *record = keeps ? anchored() : NULL;
        if (tclk_waits_fetch(record, waits, &error) || record == NULL) {
            break;
        }
    }
    return error;
}

__attribute__((noinline, cold)) static int waits_slowly(struct tclk_waits *waits)
{
    const struct tclk_copy *first = tclk_first_copy();
    if (first != NULL) {
        return first->thread_waits(waits, sizeof *waits);
    }
    int saved = errno;
    int error = ask_kernel_for_waits(waits);
    errno = saved;
    return error;
}

/* The program's struct may have more fields than this library knows, or fewer. */
__attribute__((noinline, cold)) static void copy_sized(struct tclk_waits *to, const struct tclk_waits *waits,
                                                       size_t size)
{
    if (size > sizeof *waits) {
        memset(to + 1, 0xff, size - sizeof *waits); /* TCLK_UNKNOWN */
    }
    memcpy(to, waits, size < sizeof *waits ? size : sizeof *waits);
}

int tclk_thread_waits_sized(struct tclk_waits *waits, size_t size)
{
    struct tclk_waits now;
    int error;
    if (__builtin_expect(!tclk_waits_recall(own_record, &now, &error), 0)) {
        error = waits_slowly(&now);
    }
    if (__builtin_expect(size != sizeof now, 0)) {
        copy_sized(waits, &now, size);
    } else {
        *waits = now;
    }
    return error;
}

/* ---- by tid ---- */

int tclk_tid_read(pid_t tid, struct tclk_times *times)
{
    return tclk_thread_is(tid) ? tclk_thread_read(times) : tclk_observe_times(tid, times);
}

int64_t tclk_tid_cpu_ns(pid_t tid)
{
    if (tclk_thread_is(tid)) {
        return tclk_thread_cpu_ns();
    }
    int64_t cpu_ns;
    int error = tclk_observe_cpu_ns(tid, &cpu_ns);
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

int tclk_tid_waits_sized(pid_t tid, struct tclk_waits *waits, size_t size)
{
    struct tclk_waits now;
    if (tclk_thread_is(tid)) {
        return tclk_thread_waits_sized(waits, size);
    }
    int saved = errno;
    int error = tclk_waits_fetch_thread(tid, &now);
    errno = saved;
    if (error != -ESRCH) {
        copy_sized(waits, &now, size);
    }
    return error;
}

/* ---- the process ---- */

/* The program's struct may have more fields than this library knows, or fewer. */
static bool is_zero(const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

int tclk_clock_configure_sized(const struct tclk_config *config, size_t size)
{
    const struct tclk_copy *first = tclk_first_copy();
    if (first != NULL) {
        return first->configure(config, size);
    }
    struct tclk_config known = {.source = TCLK_SOURCE_AUTO};
    if (size > sizeof known && !is_zero((const char *)(config + 1), size - sizeof known)) {
        return -E2BIG;
    }
    memcpy(&known, config, size < sizeof known ? size : sizeof known);
    int error = tclk_source_configure(&known);
    if (error == 0 && own_record != NULL) {
        tclk_record_disarm(own_record);
    }
    return error;
}

void tclk_clock_stats_sized(struct tclk_stats *stats, size_t size)
{
    const struct tclk_copy *first = tclk_first_copy();
    if (first != NULL) {
        first->stats(stats, size);
        return;
    }
    struct tclk_stats known;
    tclk_record_sum(&known);
    known.demotions = tclk_source_demotions();
    if (size > sizeof known) {
        memset(stats + 1, 0, size - sizeof known);
    }
    memcpy(stats, &known, size < sizeof known ? size : sizeof known);
}

/* In both, because each has words of its own. */
void tclk_clock_count_filter(int change)
{
    const struct tclk_copy *first = tclk_first_copy();
    if (first != NULL) {
        first->count_filter(change);
    }
    tclk_filter_count_own(change);
}

/* ---- this copy, for later ones (clock/first_copy.h) ---- */

TCLK_NOTE(TCLK_NOTE_COPY, tclk_own_copy);

static int tid_cpu_ns(pid_t tid, int64_t *cpu_ns)
{
    int64_t ns = tclk_tid_cpu_ns(tid);
    if (ns < 0) {
        return (int)ns;
    }
    *cpu_ns = ns;
    return 0;
}

__attribute__((used)) const struct tclk_copy tclk_own_copy = {
    .interface = TCLK_COPY_INTERFACE,
    .bytes = sizeof(struct tclk_copy),
    .version = tclk_version,
    .thread_read = tclk_thread_read,
    .tid_read = tclk_tid_read,
    .tid_cpu_ns = tid_cpu_ns,
    .thread_waits = tclk_thread_waits_sized,
    .configure = tclk_clock_configure_sized,
    .source = tclk_clock_source,
    .split = tclk_split_in_use,
    .split_describe = tclk_split_describe,
    .explain = tclk_clock_explain,
    .source_explain = tclk_source_explain,
    .stats = tclk_clock_stats_sized,
    .announce_demotions = tclk_source_announce_demotions,
    .count_filter = tclk_filter_count_own,
};
