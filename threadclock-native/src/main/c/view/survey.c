/* SPDX-License-Identifier: Apache-2.0 */
#include "view/survey.h"

#include "clock/observe.h"
#include "kernel/clockid.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Between two looks at what they have cost. */
#define BATCH 16u

/* So much is spent on reading even if the budget has nothing left: something always goes on. */
#define LEAST_NS INT64_C(10000)

/* No client gets more than 200 looks in a second. */
#define PAUSE_NS INT64_C(5000000)

/* However much was overspent. */
#define LONGEST_PAUSE_NS INT64_C(1000000000)

/* The kernel sums up all threads for the process's totals: 1 ms of that, and the next is in 2 s. */
#define TOTALS_REST 2000

#define START_UNIT_NS INT64_C(10000000)

/* Listing and naming threads for 1 ms, and the next time is in 0.4 s. A burst of new threads, of which each
 * has cost the process more than its name does, is no reason not to look for long. */
#define CENSUS_REST 400
#define CENSUS_LONGEST_REST_NS INT64_C(2000000000)

#define IDS_EVERY_NS INT64_C(1000000000)

int64_t tclk_survey_own_cpu_ns(void)
{
    int64_t cpu_ns = 0;
    tclk_clock_read_own(TCLK_CLOCK_SCHED, &cpu_ns);
    return cpu_ns;
}

/* By system calls: the vDSO's clocks read the counter, which a process may have disabled. */
int64_t tclk_survey_clock_ns(clockid_t clock)
{
    struct timespec t = {0};
    syscall(SYS_clock_gettime, clock, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int64_t tclk_survey_now_ns(void)
{
    return tclk_survey_clock_ns(CLOCK_MONOTONIC);
}

int tclk_survey_open(struct tclk_survey *survey, tclk_java_ids java_ids)
{
    *survey = (struct tclk_survey){.java_ids = java_ids};
    tclk_budget_begin(&survey->budget, tclk_survey_now_ns());
    return tclk_census_open(&survey->census);
}

void tclk_survey_close(struct tclk_survey *survey)
{
    tclk_census_close(&survey->census);
}

/* ---- threads ---- */

/* Of most threads that are there at the first look: the next one sees who has run since. */
#define LONG_AGO_NS (-TCLK_SURVEY_HOT_NS)

static bool is_hot(const struct tclk_view_thread *thread, int64_t now_ns)
{
    return thread->read_ns == 0 || now_ns - thread->ran_ns < TCLK_SURVEY_HOT_NS;
}

/* Since when the tid has been this thread's; 0: not known yet. Told in units of 10 ms, rounded down. */
static int64_t alive_at_ns(const struct tclk_view_thread *thread)
{
    return thread->named == 0 ? 0 : thread->start_ns + START_UNIT_NS;
}

/* Less than before: another thread has got the tid, and the clock has to find that out. It is named at once,
 * whatever is left to spend, so that its times are not told as the other one's. */
static int ask(struct tclk_survey *survey, struct tclk_view_thread *thread, int64_t raw_ns,
               struct tclk_times *times)
{
    if (raw_ns >= thread->raw_ns) {
        return tclk_observe_times(thread->tid, alive_at_ns(thread), times);
    }
    tclk_census_doubt(&survey->census, thread);
    tclk_census_name(&survey->census, thread, survey->taken_ns);
    return tclk_observe_times(thread->tid, 0, times);
}

/* One system call for a thread that has not run. */
static int look_at(struct tclk_survey *survey, struct tclk_view_thread *thread, int64_t now_ns)
{
    int64_t raw_ns;
    struct tclk_times times;
    int error = tclk_clock_read_thread(thread->tid, TCLK_CLOCK_SCHED, &raw_ns);
    bool has_run = error == 0 && (raw_ns != thread->raw_ns || thread->read_ns == 0);
    if (has_run) {
        error = ask(survey, thread, raw_ns, &times);
    }
    if (error != 0) {
        return error;
    }
    if (has_run) {
        thread->raw_ns = raw_ns;
        thread->ran_ns = survey->is_first ? LONG_AGO_NS : now_ns;
        thread->cpu_ns = times.cpu_ns;
        thread->user_ns = times.user_ns;
    }
    thread->read_ns = now_ns;
    return 0;
}

/* Reads those that are hot, or those that are not, from the hand on, until all have been or `until_ns` of
 * this thread's CPU time is over; the hand stays there. */
static void read_round(struct tclk_survey *survey, bool hot, uint32_t *hand, int64_t until_ns)
{
    struct tclk_census *census = &survey->census;
    int64_t now_ns = tclk_survey_now_ns();
    uint32_t read = 0;
    uint32_t left = census->count;
    *hand = left == 0 ? 0 : *hand % left;
    for (; left > 0; left--) {
        struct tclk_view_thread *thread = &census->threads[*hand];
        *hand = *hand + 1 == census->count ? 0 : *hand + 1;
        if (is_hot(thread, survey->taken_ns) != hot || thread->read_ns >= survey->taken_ns) {
            continue;
        }
        if (look_at(survey, thread, now_ns) != 0) {
            census->has_ended = true;
        }
        if (++read % BATCH == 0) {
            now_ns = tclk_survey_now_ns();
            if (tclk_survey_own_cpu_ns() > until_ns) {
                return;
            }
        }
    }
}

/* A quarter of the time is for those that sleep: one of them may have woken up. */
static void read_threads(struct tclk_survey *survey, int64_t allowed_ns)
{
    int64_t began_ns = tclk_survey_own_cpu_ns();
    read_round(survey, true, &survey->hot_hand, began_ns + allowed_ns / 4 * 3);
    read_round(survey, false, &survey->cold_hand, began_ns + allowed_ns);
    survey->reading_ns = tclk_survey_own_cpu_ns() - began_ns;
}

/* ---- who they are ---- */

static void name_new(struct tclk_survey *survey)
{
    struct tclk_census *census = &survey->census;
    for (uint32_t i = 0; i < census->count; i++) {
        if (census->threads[i].name_due_ns == 0) {
            tclk_census_name(census, &census->threads[i], survey->taken_ns);
        }
    }
}

/* New threads are named at once, whatever the budget says; what it took is rested from instead. */
static bool list_threads(struct tclk_survey *survey)
{
    int64_t began_ns = tclk_survey_own_cpu_ns();
    if (!tclk_census_update(&survey->census, survey->taken_ns)) {
        return false;
    }
    name_new(survey);
    int64_t cost_ns = tclk_survey_own_cpu_ns() - began_ns;
    int64_t rest_ns = survey->is_first ? 0 : CENSUS_REST * cost_ns;
    survey->census.rest_ns =
        survey->taken_ns + (rest_ns < CENSUS_LONGEST_REST_NS ? rest_ns : CENSUS_LONGEST_REST_NS);
    survey->paid_ns += cost_ns;
    survey->ids_due_ns = 0;
    return true;
}

static void name_unsettled(struct tclk_survey *survey, int64_t until_ns)
{
    struct tclk_census *census = &survey->census;
    for (uint32_t i = census->count; i-- > 0 && census->unsettled > 0;) {
        if (tclk_census_name(census, &census->threads[i], survey->taken_ns) &&
            tclk_survey_own_cpu_ns() > until_ns) {
            return;
        }
    }
}

static void name_again(struct tclk_survey *survey, int64_t allowed_ns)
{
    name_unsettled(survey, tclk_survey_own_cpu_ns() + allowed_ns);
    tclk_census_name_again(&survey->census, survey->taken_ns);
    if (survey->taken_ns >= survey->ids_due_ns) {
        survey->java_ids(&survey->census);
        survey->ids_due_ns = survey->taken_ns + IDS_EVERY_NS;
    }
}

/* ---- the process ---- */

static int64_t process_clock_ns(enum tclk_clock_kind kind)
{
    int64_t ns = 0;
    tclk_clock_read(tclk_clockid_encode(0, TCLK_CLOCK_PROCESS, kind), &ns);
    return ns;
}

/* Neither user time nor system time steps back. */
static int64_t split(const struct tclk_process_totals *last, int64_t cpu_ns)
{
    int64_t virt_ns = process_clock_ns(TCLK_CLOCK_VIRT);
    int64_t prof_ns = process_clock_ns(TCLK_CLOCK_PROF);
    int64_t user_ns = prof_ns <= 0 ? cpu_ns : (int64_t)((__int128)cpu_ns * virt_ns / prof_ns);
    int64_t most_ns = last->user_ns + (cpu_ns - last->cpu_ns);
    user_ns = user_ns < last->user_ns ? last->user_ns : user_ns;
    return user_ns > most_ns ? most_ns : user_ns;
}

/* As dear as some looks with many threads, so it is rested from, too: were it taken from the budget, the
 * next looks would have to wait for it. */
static void read_process(struct tclk_survey *survey)
{
    struct tclk_process_totals *process = &survey->process;
    int64_t began_ns = tclk_survey_own_cpu_ns();
    int64_t now_ns = tclk_survey_now_ns();
    int64_t cpu_ns = process_clock_ns(TCLK_CLOCK_SCHED);
    cpu_ns = cpu_ns < process->cpu_ns ? process->cpu_ns : cpu_ns;
    process->user_ns = split(process, cpu_ns);
    process->cpu_ns = cpu_ns;
    process->at_ns = now_ns;
    int64_t cost_ns = tclk_survey_own_cpu_ns() - began_ns;
    process->due_ns = now_ns + TOTALS_REST * cost_ns;
    survey->paid_ns += cost_ns;
}

/* ---- a look ---- */

void tclk_survey_pay(struct tclk_survey *survey)
{
    int64_t cpu_ns = tclk_survey_own_cpu_ns();
    tclk_budget_earn(&survey->budget, tclk_survey_now_ns());
    survey->cost_ns += cpu_ns - survey->paid_ns;
    if (!survey->is_first) {
        tclk_budget_spend(&survey->budget, cpu_ns - survey->paid_ns);
    }
    survey->paid_ns = cpu_ns;
}

static bool lacks_readings(const struct tclk_census *census)
{
    for (uint32_t i = 0; i < census->count; i++) {
        if (census->threads[i].read_ns == 0) {
            return true;
        }
    }
    return false;
}

/* What there is beyond all that a look costs though nobody is read. */
static int64_t allowed_now_ns(const struct tclk_survey *survey)
{
    int64_t left_ns = survey->budget.left_ns - survey->fixed_ns;
    return survey->is_first ? INT64_MAX / 4 : left_ns < LEAST_NS ? LEAST_NS : left_ns;
}

void tclk_survey_take(struct tclk_survey *survey)
{
    tclk_survey_pay(survey);
    survey->is_first = survey->taken_ns == 0;
    survey->taken_ns = tclk_survey_now_ns();
    survey->fixed_ns = survey->cost_ns - survey->reading_ns;
    survey->cost_ns = 0;
    int64_t allowed_ns = allowed_now_ns(survey);
    bool has_listed = list_threads(survey);
    read_threads(survey, allowed_ns);
    name_again(survey, allowed_ns / 4);
    if (survey->taken_ns >= survey->process.due_ns) {
        read_process(survey);
    }
    if (has_listed || survey->is_behind) {
        survey->is_behind = lacks_readings(&survey->census);
    }
}

int64_t tclk_survey_next_ns(const struct tclk_survey *survey)
{
    if (survey->taken_ns == 0) {
        return 0;
    }
    int64_t fixed_ns = survey->cost_ns - survey->reading_ns;
    int64_t afforded_ns = tclk_budget_affords_ns(&survey->budget, fixed_ns + fixed_ns / 2);
    int64_t soonest_ns = survey->taken_ns + PAUSE_NS;
    int64_t latest_ns = survey->taken_ns + LONGEST_PAUSE_NS;
    return afforded_ns < soonest_ns  ? soonest_ns
           : afforded_ns > latest_ns ? latest_ns
                                     : afforded_ns;
}
