/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/poller.h"

#include "include/threadclock.h"
#include "kernel/clockid.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The number of threads that are read between two checks of what they have cost. */
#define BATCH 16u

/* This much is spent on reading even if the budget is empty, so that every poll makes progress. */
#define LEAST_NS INT64_C(10000)

/* No client gets more than 200 snapshots a second. */
#define PAUSE_NS INT64_C(5000000)

/* The longest pause, however much was overspent. */
#define LONGEST_PAUSE_NS INT64_C(1000000000)

/* The kernel sums up all threads for the process's totals. After 1 ms of that, they are read again in 2 s. */
#define TOTALS_REST 2000

/* After 1 ms of listing and naming threads, they are listed again in 0.4 s. After a burst of new threads the pause
 * is not longer, because each new thread has cost the process more than its name does. */
#define LISTING_REST 400
#define LISTING_LONGEST_REST_NS INT64_C(2000000000)

/* Reading a settled name again costs as much as reading ten or twenty threads. */
#define NAME_EVERY_NS INT64_C(100000000)

#define IDS_EVERY_NS INT64_C(1000000000)

int64_t tclk_poller_own_cpu_ns(void)
{
    int64_t cpu_ns = 0;
    tclk_clock_read_own(TCLK_CLOCK_SCHED, &cpu_ns);
    return cpu_ns;
}

/* Uses system calls, because the vDSO's clocks read the counter, which a process may have disabled. */
int64_t tclk_poller_clock_ns(clockid_t clock)
{
    struct timespec t = {0};
    syscall(SYS_clock_gettime, clock, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int64_t tclk_poller_now_ns(void)
{
    return tclk_poller_clock_ns(CLOCK_MONOTONIC);
}

int tclk_poller_open(struct tclk_poller *poller, tclk_java_ids java_ids)
{
    *poller = (struct tclk_poller){.java_ids = java_ids};
    tclk_budget_begin(&poller->budget, tclk_poller_now_ns());
    return tclk_thread_table_open(&poller->table);
}

void tclk_poller_close(struct tclk_poller *poller)
{
    tclk_thread_table_close(&poller->table);
}

/* ---- threads ---- */

/* The time at which most threads of the first poll are said to have run. The next poll sees which have run since. */
#define LONG_AGO_NS (-TCLK_POLLER_HOT_NS)

static bool is_hot(const struct tclk_thread_row *thread, int64_t now_ns)
{
    return thread->read_ns == 0 || now_ns - thread->ran_ns < TCLK_POLLER_HOT_NS;
}

/* If the time is less than before, another thread has got the tid, and the clock has to find that out. The thread is
 * named at once, whatever is left of the budget, so that its times are not reported under the old name. */
static int ask(struct tclk_poller *poller, struct tclk_thread_row *thread, int64_t raw_ns, struct tclk_times *times)
{
    if (raw_ns < thread->raw_ns) {
        tclk_thread_table_doubt(&poller->table, thread);
        tclk_thread_table_name(&poller->table, thread, poller->taken_ns);
    }
    return tclk_tid_read(thread->tid, times);
}

/* Makes one system call if the thread has not run. */
static int look_at(struct tclk_poller *poller, struct tclk_thread_row *thread, int64_t now_ns)
{
    int64_t raw_ns;
    struct tclk_times times;
    int error = tclk_clock_read_thread(thread->tid, TCLK_CLOCK_SCHED, &raw_ns);
    bool has_run = error == 0 && (raw_ns != thread->raw_ns || thread->read_ns == 0);
    if (has_run) {
        error = ask(poller, thread, raw_ns, &times);
    }
    if (error != 0) {
        return error;
    }
    if (has_run) {
        thread->raw_ns = raw_ns;
        thread->ran_ns = poller->is_first ? LONG_AGO_NS : now_ns;
        thread->cpu_ns = times.cpu_ns;
        thread->user_ns = times.user_ns;
    }
    thread->read_ns = now_ns;
    return 0;
}

/* Reads the threads that are hot, or those that are not. It begins at the hand, and stops when all have been read or
 * the CPU time of this thread reaches `until_ns`; the hand stays there. */
static void read_round(struct tclk_poller *poller, bool hot, uint32_t *hand, int64_t until_ns)
{
    struct tclk_thread_table *table = &poller->table;
    int64_t now_ns = tclk_poller_now_ns();
    uint32_t read = 0;
    uint32_t left = table->count;
    *hand = left == 0 ? 0 : *hand % left;
    for (; left > 0; left--) {
        struct tclk_thread_row *thread = &table->threads[*hand];
        *hand = *hand + 1 == table->count ? 0 : *hand + 1;
        if (is_hot(thread, poller->taken_ns) != hot || thread->read_ns >= poller->taken_ns) {
            continue;
        }
        if (look_at(poller, thread, now_ns) != 0) {
            table->has_ended = true;
        }
        if (++read % BATCH == 0) {
            now_ns = tclk_poller_now_ns();
            if (tclk_poller_own_cpu_ns() > until_ns) {
                return;
            }
        }
    }
}

/* A quarter of the time is for threads that sleep, because one of them may have woken up. */
static void read_threads(struct tclk_poller *poller, int64_t allowed_ns)
{
    int64_t began_ns = tclk_poller_own_cpu_ns();
    read_round(poller, true, &poller->hot_hand, began_ns + allowed_ns / 4 * 3);
    read_round(poller, false, &poller->cold_hand, began_ns + allowed_ns);
    poller->reading_ns = tclk_poller_own_cpu_ns() - began_ns;
}

/* ---- naming ---- */

static void name_new(struct tclk_poller *poller)
{
    struct tclk_thread_table *table = &poller->table;
    for (uint32_t i = 0; i < table->count; i++) {
        if (table->threads[i].name_due_ns == 0) {
            tclk_thread_table_name(table, &table->threads[i], poller->taken_ns);
        }
    }
}

/* Names new threads at once, whatever is left of the budget, and makes the pause before the next listing longer
 * instead. */
static bool list_threads(struct tclk_poller *poller)
{
    int64_t began_ns = tclk_poller_own_cpu_ns();
    if (!tclk_thread_table_update(&poller->table, poller->taken_ns)) {
        return false;
    }
    name_new(poller);
    int64_t cost_ns = tclk_poller_own_cpu_ns() - began_ns;
    int64_t rest_ns = poller->is_first ? 0 : LISTING_REST * cost_ns;
    poller->table.rest_ns = poller->taken_ns + (rest_ns < LISTING_LONGEST_REST_NS ? rest_ns : LISTING_LONGEST_REST_NS);
    poller->paid_ns += cost_ns;
    poller->ids_due_ns = 0;
    return true;
}

static void name_unsettled(struct tclk_poller *poller, int64_t until_ns)
{
    struct tclk_thread_table *table = &poller->table;
    for (uint32_t i = table->count; i-- > 0 && table->unsettled > 0;) {
        if (tclk_thread_table_name(table, &table->threads[i], poller->taken_ns) &&
            tclk_poller_own_cpu_ns() > until_ns) {
            return;
        }
    }
}

static void name_again(struct tclk_poller *poller, int64_t allowed_ns)
{
    name_unsettled(poller, tclk_poller_own_cpu_ns() + allowed_ns);
    if (poller->taken_ns >= poller->names_due_ns) {
        tclk_thread_table_name_again(&poller->table, poller->taken_ns);
        poller->names_due_ns = poller->taken_ns + NAME_EVERY_NS;
    }
    if (poller->taken_ns >= poller->ids_due_ns) {
        poller->java_ids(&poller->table);
        poller->ids_due_ns = poller->taken_ns + IDS_EVERY_NS;
    }
}

/* ---- the process ---- */

static int64_t process_clock_ns(enum tclk_clock_kind kind)
{
    int64_t ns = 0;
    tclk_clock_read(tclk_clockid_encode(0, TCLK_CLOCK_PROCESS, kind), &ns);
    return ns;
}

/* Keeps user time and system time from falling. */
static int64_t split(const struct tclk_process_totals *last, int64_t cpu_ns)
{
    int64_t virt_ns = process_clock_ns(TCLK_CLOCK_VIRT);
    int64_t prof_ns = process_clock_ns(TCLK_CLOCK_PROF);
    int64_t user_ns = prof_ns <= 0 ? cpu_ns : (int64_t)((__int128)cpu_ns * virt_ns / prof_ns);
    int64_t most_ns = last->user_ns + (cpu_ns - last->cpu_ns);
    user_ns = user_ns < last->user_ns ? last->user_ns : user_ns;
    return user_ns > most_ns ? most_ns : user_ns;
}

/* With many threads this costs as much as some polls. It is paid by a pause of its own, because the next polls would
 * have to wait if the budget paid for it. */
static void read_process(struct tclk_poller *poller)
{
    struct tclk_process_totals *process = &poller->process;
    int64_t began_ns = tclk_poller_own_cpu_ns();
    int64_t now_ns = tclk_poller_now_ns();
    int64_t cpu_ns = process_clock_ns(TCLK_CLOCK_SCHED);
    cpu_ns = cpu_ns < process->cpu_ns ? process->cpu_ns : cpu_ns;
    process->user_ns = split(process, cpu_ns);
    process->cpu_ns = cpu_ns;
    process->at_ns = now_ns;
    int64_t cost_ns = tclk_poller_own_cpu_ns() - began_ns;
    process->due_ns = now_ns + TOTALS_REST * cost_ns;
    poller->paid_ns += cost_ns;
}

/* ---- a poll ---- */

void tclk_poller_pay(struct tclk_poller *poller)
{
    int64_t cpu_ns = tclk_poller_own_cpu_ns();
    tclk_budget_earn(&poller->budget, tclk_poller_now_ns());
    poller->cost_ns += cpu_ns - poller->paid_ns;
    if (!poller->is_first) {
        tclk_budget_spend(&poller->budget, cpu_ns - poller->paid_ns);
    }
    poller->paid_ns = cpu_ns;
}

static bool lacks_readings(const struct tclk_thread_table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        if (table->threads[i].read_ns == 0) {
            return true;
        }
    }
    return false;
}

static bool times_of_carrier(void *table, pid_t tid, int64_t *cpu_ns, int64_t *user_ns)
{
    struct tclk_thread_row *thread = tclk_thread_table_find(table, tid);
    if (thread == NULL || thread->read_ns == 0) {
        return false;
    }
    tclk_thread_table_tell_carrier(table, thread);
    *cpu_ns = thread->cpu_ns;
    *user_ns = thread->user_ns;
    return true;
}

/* The part of the budget that is left for reading threads, after the fixed cost of a poll. */
static int64_t allowed_now_ns(const struct tclk_poller *poller)
{
    int64_t left_ns = poller->budget.left_ns - poller->fixed_ns;
    return poller->is_first ? INT64_MAX / 4 : left_ns < LEAST_NS ? LEAST_NS : left_ns;
}

void tclk_poller_poll(struct tclk_poller *poller)
{
    tclk_poller_pay(poller);
    poller->is_first = poller->taken_ns == 0;
    poller->taken_ns = tclk_poller_now_ns();
    poller->fixed_ns = poller->cost_ns - poller->reading_ns;
    poller->cost_ns = 0;
    int64_t allowed_ns = allowed_now_ns(poller);
    bool has_listed = list_threads(poller);
    read_threads(poller, allowed_ns);
    name_again(poller, allowed_ns / 4);
    if (poller->taken_ns >= poller->process.due_ns) {
        read_process(poller);
    }
    tclk_virtual_pools_update(&poller->pools, times_of_carrier, &poller->table);
    if (has_listed || poller->is_behind) {
        poller->is_behind = lacks_readings(&poller->table);
    }
}

int64_t tclk_poller_period_ns(const struct tclk_poller *poller)
{
    int64_t most_ns = poller->fixed_ns / 2 + 2 * LEAST_NS;
    int64_t reading_ns = poller->reading_ns < most_ns ? poller->reading_ns : most_ns;
    return (poller->fixed_ns + reading_ns) * TCLK_BUDGET_PART;
}

int64_t tclk_poller_next_ns(const struct tclk_poller *poller)
{
    if (poller->taken_ns == 0) {
        return 0;
    }
    int64_t fixed_ns = poller->cost_ns - poller->reading_ns;
    int64_t afforded_ns = tclk_budget_affords_ns(&poller->budget, fixed_ns + fixed_ns / 2);
    int64_t soonest_ns = poller->taken_ns + PAUSE_NS;
    int64_t latest_ns = poller->taken_ns + LONGEST_PAUSE_NS;
    return afforded_ns < soonest_ns ? soonest_ns : afforded_ns > latest_ns ? latest_ns : afforded_ns;
}
