/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/divide/tally.h"

#include "clock/line.h"

/* Beyond this, older counts are halved. The standard error of 128 samples is 4.4 % at most. */
#define DUE_MOST 128

/* Shares that are nearer to each other than this count as the same. */
#define APART_LEAST (TCLK_SHARE_ONE / 10)

/* A sample may be late by this part of a period, because the timer stands still during a switch. */
#define LATE_PART 6

/* ---- counting samples ---- */

void tclk_tally_begin(struct tclk_tally *tally, int64_t period_ns, int64_t cpu_ns, int64_t raw_ns)
{
    *tally = (struct tclk_tally){
        .period_ns = period_ns,
        .cpu_ns = cpu_ns,
        .raw_ns = raw_ns,
        .next_ns = cpu_ns + period_ns,
    };
}

static void add(uint16_t *count, int64_t more)
{
    *count = (uint16_t)(*count + more < UINT16_MAX ? *count + more : UINT16_MAX);
}

/* Passes the samples that are due before then. Returns how many these are. */
static int64_t pass(struct tclk_tally *tally, int64_t until_ns)
{
    int64_t due = until_ns > tally->next_ns ? (until_ns - tally->next_ns - 1) / tally->period_ns + 1 : 0;
    tally->next_ns += due * tally->period_ns;
    return due;
}

void tclk_tally_record(struct tclk_tally *tally, int64_t calm_ns, int64_t raw_ns, bool is_user)
{
    int64_t cpu_ns = tally->cpu_ns + raw_ns - tally->raw_ns;
    struct tclk_count_of *count = cpu_ns > calm_ns ? &tally->came : &tally->counts.calm;
    if (cpu_ns <= calm_ns) {
        add(&count->due, pass(tally, cpu_ns - tally->period_ns / 2));
        tally->next_ns = cpu_ns + tally->period_ns;
    }
    add(&count->due, 1);
    add(&count->users, is_user);
}

void tclk_tally_stretch(struct tclk_tally *tally, int64_t calm_ns, int64_t cpu_ns, int64_t raw_ns)
{
    add(&tally->counts.calm.due, pass(tally, calm_ns - tally->period_ns / LATE_PART));
    if (cpu_ns > calm_ns) {
        int64_t due = pass(tally, cpu_ns + 1);
        add(&tally->counts.rest.due, due > tally->came.due ? due : tally->came.due);
        add(&tally->counts.rest.users, tally->came.users);
        tally->rest_ns += cpu_ns - calm_ns;
    }
    tally->came = (struct tclk_count_of){0, 0};
    tally->cpu_ns = cpu_ns;
    tally->raw_ns = raw_ns;
}

void tclk_tally_forget(struct tclk_tally *tally)
{
    tally->counts = (struct tclk_counts){.rest_us = 0};
    tally->rest_ns = 0;
}

struct tclk_counts tclk_tally_counts(const struct tclk_tally *tally, int64_t switches)
{
    struct tclk_counts counts = tally->counts;
    add(&counts.rest_us, tally->rest_ns / 1000 / (switches > 0 ? switches : 1));
    return counts;
}

/* ---- counts ---- */

uint32_t tclk_counts_due(const struct tclk_counts *counts)
{
    return (uint32_t)counts->calm.due + counts->rest.due;
}

static void halve(struct tclk_count_of *count)
{
    count->due /= 2;
    count->users /= 2;
}

static void add_count(struct tclk_count_of *count, struct tclk_count_of more)
{
    add(&count->due, more.due);
    add(&count->users, more.users);
}

struct tclk_counts tclk_counts_add(struct tclk_counts known, struct tclk_counts more)
{
    int64_t rest_us = tclk_counts_due(&known) == 0 || known.rest.due == 0 ? more.rest_us : known.rest_us;
    known.rest_us = (uint16_t)((3 * rest_us + more.rest_us) / 4);
    add_count(&known.calm, more.calm);
    add_count(&known.rest, more.rest);
    while (known.calm.due > DUE_MOST || known.rest.due > DUE_MOST) {
        halve(&known.calm);
        halve(&known.rest);
    }
    return known;
}

static uint32_t share_of(struct tclk_count_of count, uint32_t none)
{
    return tclk_share_between(count.users, count.due - count.users, none);
}

static struct tclk_count_of sum_of(const struct tclk_counts *counts)
{
    struct tclk_count_of sum = counts->calm;
    add_count(&sum, counts->rest);
    return sum;
}

bool tclk_counts_differ(const struct tclk_counts *known, const struct tclk_counts *more, unsigned errors)
{
    bool are_calm = known->calm.due > 0 && more->calm.due > 0;
    struct tclk_count_of count = are_calm ? more->calm : sum_of(more);
    uint64_t before = share_of(are_calm ? known->calm : sum_of(known), 0);
    uint64_t seen = share_of(count, (uint32_t)before);
    uint64_t apart = seen < before ? before - seen : seen - before;
    uint64_t middle = (seen + before) / 2;
    return count.due > 0 && apart > APART_LEAST &&
           apart * apart > (uint64_t)errors * errors * middle / count.due * (TCLK_SHARE_ONE - middle);
}

/* Less user time in the rest than in calm time is what switches cost. */
struct tclk_pace tclk_counts_pace(const struct tclk_counts *counts)
{
    uint32_t mean = share_of(sum_of(counts), 0);
    uint32_t calm = share_of(counts->calm, mean);
    uint32_t rest = share_of(counts->rest, calm);
    uint32_t lost = rest < calm ? tclk_share_between(calm - rest, rest, 0) : 0;
    return (struct tclk_pace){
        .calm = calm,
        .rest = rest < calm ? calm : rest,
        .switch_ns = (uint32_t)tclk_share_of(counts->rest_us * INT64_C(1000), lost),
        .mean = mean,
    };
}

/* ---- ticks ---- */

/* The share of a steady thread is wrong by the chance in this many ticks: 1 or 2 %. */
#define MEMORY_TICKS 1000

/* With fewer ticks a change is seen sooner, and chance looks like a change more often. */
#define RECENT_TICKS 6

/* If the share of the recent ticks differs by this much, the work has changed. From all system to all user time this
 * takes six ticks. A thread that divides its time in halves shows it by chance once in some hours. */
#define CHANGED (UINT16_MAX * 3 / 5)

/* After a change, the share is that of the tick that has shown it, for this many ticks. */
#define TICKS_AT_CHANGE 2

#define CHANGE_COSTS_QMS 8000 /* quarters of a ms: 2 s */
#define CREDIT_QMS 24000      /* enough for three changes */
#define QMS_NS INT64_C(250000)

_Static_assert(CREDIT_QMS == 3 * CHANGE_COSTS_QMS && CREDIT_QMS <= UINT16_MAX, "three changes fit");

static int64_t at_most(int64_t n, int64_t most)
{
    return n < most ? n : most;
}

static uint16_t ticks_of(int64_t cpu_ns, int64_t tick_ns)
{
    int64_t ticks = at_most((cpu_ns + tick_ns / 2) / tick_ns, MEMORY_TICKS);
    return (uint16_t)(ticks < 1 ? 1 : ticks);
}

static uint16_t part_of(int64_t user_ns, int64_t cpu_ns)
{
    int64_t user = at_most(user_ns < 0 ? 0 : user_ns, cpu_ns);
    int shift = cpu_ns > INT64_MAX / UINT16_MAX ? 16 : 0;
    return (uint16_t)((user >> shift) * UINT16_MAX / (cpu_ns >> shift));
}

/* The value at part / whole of the way to `to`, rounded. */
static uint16_t nearer(uint16_t from, uint16_t to, int64_t part, int64_t whole)
{
    int64_t way = ((int64_t)to - from) * part;
    int64_t half = way < 0 ? -whole / 2 : whole / 2;
    return (uint16_t)(from + (way + half) / whole);
}

struct tclk_trend tclk_trend_begin(uint32_t share, int64_t cpu_ns, int64_t tick_ns)
{
    uint16_t known = (uint16_t)((uint64_t)share * UINT16_MAX >> TCLK_SHARE_BITS);
    return (struct tclk_trend){
        .share = known,
        .recent = known,
        .ticks = ticks_of(cpu_ns, tick_ns),
        .credit_qms = CREDIT_QMS,
    };
}

static bool has_changed(struct tclk_trend trend, uint16_t share_before)
{
    int apart = trend.recent - share_before;
    return (apart < 0 ? -apart : apart) > CHANGED && trend.credit_qms >= CHANGE_COSTS_QMS;
}

struct tclk_trend tclk_trend_follow(struct tclk_trend trend, int64_t user_ns, int64_t cpu_ns, int64_t tick_ns)
{
    uint16_t seen = part_of(user_ns, cpu_ns);
    uint16_t before = trend.share;
    int64_t ticks = ticks_of(cpu_ns, tick_ns);
    trend.recent = nearer(trend.recent, seen, ticks, ticks + RECENT_TICKS - 1);
    trend.share = nearer(trend.share, seen, ticks, ticks + trend.ticks);
    trend.ticks = (uint16_t)at_most(trend.ticks + ticks, MEMORY_TICKS);
    trend.credit_qms = (uint16_t)at_most(trend.credit_qms + cpu_ns / QMS_NS, CREDIT_QMS);
    if (has_changed(trend, before)) {
        trend.share = seen;
        trend.ticks = (uint16_t)(ticks > TICKS_AT_CHANGE ? ticks : TICKS_AT_CHANGE);
        trend.credit_qms = (uint16_t)(trend.credit_qms - CHANGE_COSTS_QMS);
    }
    return trend;
}

uint32_t tclk_trend_share(struct tclk_trend trend)
{
    return (uint32_t)(((uint64_t)trend.share << TCLK_SHARE_BITS) / UINT16_MAX);
}
