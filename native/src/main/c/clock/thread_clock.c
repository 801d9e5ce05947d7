/* SPDX-License-Identifier: Apache-2.0 */
#include "include/threadclock.h"

#include "clock/counter.h"
#include "clock/divide/divide.h"
#include "clock/explain.h"
#include "clock/first_copy.h"
#include "clock/jdk_ways.h"
#include "clock/notes.h"
#include "clock/observe.h"
#include "clock/own_record.h"
#include "clock/proof.h"
#include "clock/resync.h"
#include "clock/source.h"
#include "clock/thread.h"
#include "clock/waits.h"
#include "kernel/clockid.h"
#include "kernel/filter.h"
#include "kernel/fork.h"
#include "kernel/rseq_area.h"
#include "kernel/signals.h"
#include "kernel/tid.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

/* ---- reading ---- */

/* A thread without an armed detector need not read the counter in vain. */
static void count_if_armed(struct tclk_record *record)
{
    bool counts = record == tclk_thread.own && !record->own.counter_refused && record->anchor.window != 0;
    tclk_thread.counting = counts ? record : NULL;
}

/* A seccomp filter may let a thread read no more than its CPU time, and as the JDK does. A record that has been wiped,
 * by a fork that libc does not know of, is nobody's. */
static int ask_kernel(enum tclk_asked asked, struct tclk_point *point)
{
    tclk_source_ensure();
    struct tclk_record *record = tclk_own_record_ensure();
    bool is_known = record != NULL && tclk_record_tid(record) != 0;
    if (tclk_jdk_way_is_used() || (tclk_filter_forbids() && !is_known)) {
        tclk_thread_disarm();
        return tclk_jdk_way_read(0, asked, point);
    }
    if (record == NULL) {
        return tclk_observe_times(tclk_tid_own(), point);
    }
    if (!is_known) {
        tclk_thread_forget_waits(); /* first: a handler that finds a record of this thread's may keep some */
        tclk_record_own(record);
        tclk_record_enter(record);
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
    struct tclk_record *record = tclk_thread.own;
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
    if (__builtin_expect(!tclk_waits_recall(tclk_thread.own, &now, &error), 0)) {
        error = waits_slowly(&now);
    }
    if (__builtin_expect(size != sizeof now, 0)) {
        copy_sized(waits, &now, size);
    } else {
        *waits = now;
    }
    return error;
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

/* ---- the begin of the process, and of a child ---- */

static void forget_parent(void)
{
    tclk_own_record_after_fork();
    bool has_records = tclk_first_copy() == NULL && !tclk_filter_forbids();
    tclk_record_after_fork(has_records);
    tclk_samples_after_fork();
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

/* From here on, libc calls us at the end of a thread and of fork(), and later copies this one. An object that contains
 * the static library may not have been linked with -z nodelete. Linkers warn of dlopen() in static programs, in which
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
    tclk_own_record_begin_process();
    tclk_fork_watch(child_begins);
    tclk_proof_open();
}

/* ---- what this copy answers, to the program and to later copies ---- */

/* Sets errno back, as tclk_observe_times() does not. */
static int read_other(pid_t tid, struct tclk_times *times)
{
    struct tclk_point now;
    int saved = errno;
    int error = tclk_jdk_way_is_used() ? tclk_jdk_way_read(tid, TCLK_ASKED_BOTH, &now) : tclk_observe_times(tid, &now);
    errno = saved;
    if (error == 0) {
        *times = (struct tclk_times){now.cpu_ns, now.user_ns, now.cpu_ns - now.user_ns};
    }
    return error;
}

static int read_tid(pid_t tid, struct tclk_times *times)
{
    return tid <= 0 ? -ESRCH : tclk_thread_is(tid) ? tclk_thread_read(times) : read_other(tid, times);
}

static int read_tid_cpu_ns(pid_t tid, int64_t *cpu_ns)
{
    if (!tclk_thread_is(tid)) {
        int saved = errno;
        int error = tid <= 0                 ? -ESRCH
                    : tclk_jdk_way_is_used() ? tclk_clock_read_thread(tid, TCLK_CLOCK_SCHED, cpu_ns)
                                             : tclk_observe_cpu_ns(tid, cpu_ns);
        errno = saved;
        return error;
    }
    int64_t ns = tclk_thread_cpu_ns();
    if (ns < 0) {
        return (int)ns;
    }
    *cpu_ns = ns;
    return 0;
}

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

static int configure(const struct tclk_config *config, size_t size)
{
    struct tclk_config known = {.source = TCLK_SOURCE_AUTO};
    if (size > sizeof known && !is_zero((const char *)(config + 1), size - sizeof known)) {
        return -E2BIG;
    }
    memcpy(&known, config, size < sizeof known ? size : sizeof known);
    int error = tclk_source_configure(&known);
    if (error == 0) {
        tclk_thread_disarm();
    }
    return error;
}

static void tell_stats(struct tclk_stats *stats, size_t size)
{
    struct tclk_stats known;
    tclk_record_sum(&known);
    known.demotions = tclk_source_demotions();
    if (size > sizeof known) {
        memset(stats + 1, 0, size - sizeof known);
    }
    memcpy(stats, &known, size < sizeof known ? size : sizeof known);
}

static enum tclk_split split(void)
{
    return tclk_settings.split;
}

TCLK_NOTE(TCLK_NOTE_COPY, tclk_own_copy);

__attribute__((used)) const struct tclk_copy tclk_own_copy = {
    .interface = TCLK_COPY_INTERFACE,
    .bytes = sizeof(struct tclk_copy),
    .version = tclk_version,
    .thread_read = tclk_thread_read,
    .tid_read = read_tid,
    .tid_cpu_ns = read_tid_cpu_ns,
    .thread_waits = tclk_thread_waits_sized,
    .configure = configure,
    .source = tclk_source_ensured,
    .split = split,
    .split_describe = tclk_explain_split,
    .explain = tclk_explain_clock,
    .source_explain = tclk_explain_source,
    .stats = tell_stats,
    .announce_demotions = tclk_source_announce_demotions,
    .count_filter = tclk_filter_count_own,
};

/* ---- what the program asks: the copy that is the clock of its process answers ---- */

static const struct tclk_copy *copy(void)
{
    const struct tclk_copy *first = tclk_first_copy();
    return first != NULL ? first : &tclk_own_copy;
}

#define ASK(type, function, parameters, name, arguments)                                                               \
    type function parameters                                                                                           \
    {                                                                                                                  \
        return copy()->name arguments;                                                                                 \
    }

ASK(int, tclk_tid_read, (pid_t tid, struct tclk_times *times), tid_read, (tid, times))
ASK(int, tclk_clock_configure_sized, (const struct tclk_config *config, size_t size), configure, (config, size))
ASK(enum tclk_source, tclk_clock_source, (void), source, ())
ASK(enum tclk_split, tclk_clock_split, (void), split, ())
ASK(size_t, tclk_clock_describe_split, (char *buffer, size_t size), split_describe, (buffer, size))
ASK(size_t, tclk_clock_explain, (char *buffer, size_t size), explain, (buffer, size))
ASK(size_t, tclk_source_explain, (enum tclk_source source, char *buffer, size_t size), source_explain,
    (source, buffer, size))

void tclk_clock_stats_sized(struct tclk_stats *stats, size_t size)
{
    copy()->stats(stats, size);
}

void tclk_clock_announce_demotions(bool announce)
{
    copy()->announce_demotions(announce);
}

int64_t tclk_tid_cpu_ns(pid_t tid)
{
    int64_t cpu_ns;
    int error = copy()->tid_cpu_ns(tid, &cpu_ns);
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

/* In both, because each has words of its own. */
void tclk_clock_count_filter(int change)
{
    if (tclk_first_copy() != NULL) {
        copy()->count_filter(change);
    }
    tclk_filter_count_own(change);
}
