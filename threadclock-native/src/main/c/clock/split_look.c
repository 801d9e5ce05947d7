/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/split_look.h"

#include "clock/bout.h"
#include "clock/settings.h"
#include "clock/share.h"
#include "kernel/clockid.h"

#include <string.h>

/* With fewer ticks of its own, the thread's share is unknown, and the share of the process is used. */
#define TICKS_NEEDED INT64_C(3)

/* Half of what the 32 bits of the noted kernel's user time can hold. */
#define FOLLOWED_MOST_NS (INT64_C(1) << 41)

/* ---- whether the thread's ticks can be trusted ---- */

static bool is_tested(const struct tclk_split_look *look)
{
    return tclk_settings.split != TCLK_SPLIT_KERNEL && !look->sampled.taken;
}

static uint16_t switches_of(const struct tclk_split_look *look)
{
    return (uint16_t)tclk_usage_switches(&look->usage);
}

static uint16_t switches_since(const struct tclk_record *record, const struct tclk_split_look *look)
{
    return (uint16_t)(switches_of(look) - record->doubt.switches);
}

/* Takes the usage of this look. A look from before the thread's origin says nothing. */
static void test_ticks(const struct tclk_record *record, int64_t cpu_ns, struct tclk_split_look *look)
{
    if (!is_tested(look) || tclk_clock_read_own(TCLK_CLOCK_PROF, &look->booked_ns) != 0) {
        return;
    }
    look->tested = true;
    if (record->doubt.test.cpu_ns > look->origin.cpu_ns) {
        look->test = record->doubt.test;
    } else {
        look->test = (struct tclk_tick_test){
            .patience = record->doubt.test.patience,
            .in_step = record->doubt.test.in_step,
        };
    }
    look->ticks = tclk_tick_test_follow(&look->test, cpu_ns, look->booked_ns, switches_since(record, look),
                                        tclk_settings.tick_ns);
}

static bool is_test_due(const struct tclk_record *record, int64_t cpu_ns, const struct tclk_split_look *look)
{
    const struct tclk_doubt *doubt = &record->doubt;
    return is_tested(look) && record->probation == 0 && tclk_trend_is_known(record->trend) &&
           tclk_tick_test_is_due(&doubt->test, cpu_ns, tclk_settings.tick_ns);
}

/* Without ticks the kernel's share changes only because its values are whole microseconds. One tick moves it by a
 * few thousand of these, unless nearly all ticks have been of one kind, in which case the share says nothing. */
#define NEWS_NS 2000
#define ONE_KIND (TCLK_SHARE_ONE / 500)

/* Ticks of both kinds may come in exactly the ratio of those before. Then there are as many as there should be. */
static void confirm_silence(const struct tclk_record *record, int64_t cpu_ns, struct tclk_split_look *look)
{
    if (!look->tested) {
        test_ticks(record, cpu_ns, look);
    }
    if (look->tested && look->ticks == TCLK_TICKS_UNDECIDED &&
        tclk_tick_test_misses(&record->doubt.test, cpu_ns, look->booked_ns, switches_since(record, look),
                              tclk_settings.tick_ns)) {
        look->ticks = TCLK_TICKS_ABSENT;
    }
}

static void listen(const struct tclk_record *record, int64_t cpu_ns, struct tclk_split_look *look)
{
    const struct tclk_doubt_news *last = &record->doubt.by.news;
    int64_t all_ns = look->usage.user_ns + look->usage.system_ns;
    uint32_t moved = look->share > last->share ? look->share - last->share : last->share - look->share;
    bool tells = look->share > ONE_KIND && look->share < TCLK_SHARE_ONE - ONE_KIND;
    look->has_news = !tells || last->cpu_ns <= look->origin.cpu_ns || tclk_share_of(all_ns, moved) > NEWS_NS;
    if (!look->has_news &&
        tclk_tick_test_is_silence(&record->doubt.test, cpu_ns - last->cpu_ns, tclk_settings.tick_ns)) {
        confirm_silence(record, cpu_ns, look);
    }
}

/* ---- the kernel's word ---- */

/* The raw PROF clock counts few ticks. It is only asked while the thread is young. */
static bool is_short(const struct tclk_usage *usage)
{
    return usage->user_ns + usage->system_ns < 4 * TICKS_NEEDED * tclk_settings.tick_ns;
}

static bool is_young(const struct tclk_usage *usage)
{
    int64_t ticked_ns = 0;
    return is_short(usage) && tclk_clock_read_own(TCLK_CLOCK_PROF, &ticked_ns) == 0 &&
           ticked_ns < TICKS_NEEDED * tclk_settings.tick_ns;
}

static uint32_t share_of(const struct tclk_usage *usage)
{
    return tclk_share_between(usage->user_ns, usage->system_ns, TCLK_SHARE_ONE);
}

/* The last look says nothing if the thread was young, or has been restored since, or if the noted user time may have
 * overflowed. */
static bool can_follow(const struct tclk_record *record, int64_t cpu_ns, struct tclk_point origin)
{
    return tclk_trend_is_known(record->trend) && record->steered_cpu_ns > origin.cpu_ns &&
           cpu_ns - record->steered_cpu_ns < FOLLOWED_MOST_NS;
}

static struct tclk_trend trend_of(const struct tclk_record *record, int64_t cpu_ns, const struct tclk_split_look *look)
{
    if (!can_follow(record, cpu_ns, look->origin)) {
        return tclk_trend_begin(look->share, look->usage.user_ns + look->usage.system_ns, tclk_settings.tick_ns);
    }
    int64_t passed_ns = cpu_ns - record->steered_cpu_ns;
    if (passed_ns < tclk_settings.tick_ns / 2) { /* on probation: no tick may have come */
        return record->trend;
    }
    int32_t user_1024ns = (int32_t)(tclk_split_look_user_1024ns(look) - record->steered_user_1024ns);
    return tclk_trend_follow(record->trend, user_1024ns * INT64_C(1024), passed_ns, tclk_settings.tick_ns);
}

static bool is_due(const struct tclk_record *record, int64_t cpu_ns)
{
    return record->generation == 0 || record->probation > 0 ||
           cpu_ns - record->doubt.looked_cpu_ns >= tclk_settings.tick_ns;
}

/* The PROF clock that shows this tests the ticks as well. */
static bool is_found_young(const struct tclk_record *record, int64_t cpu_ns, struct tclk_split_look *look)
{
    int64_t needed_ns = TICKS_NEEDED * tclk_settings.tick_ns;
    if (!look->tested && is_short(&look->usage)) {
        test_ticks(record, cpu_ns, look);
    }
    return look->tested ? look->booked_ns < needed_ns && is_short(&look->usage) : is_young(&look->usage);
}

/* Interprets the kernel's usage. This is a function of its own, because the look has the kernel's struct on its
 * stack. */
__attribute__((noinline)) static void understand(const struct tclk_record *record, int64_t cpu_ns,
                                                 struct tclk_split_look *look)
{
    look->taken = true;
    if (is_found_young(record, cpu_ns, look)) {
        look->share = tclk_share_of_process();
    } else {
        look->share = share_of(&look->usage);
        look->trend = trend_of(record, cpu_ns, look);
        if (record->doubt.belief == TCLK_BELIEF_TICKS && is_tested(look)) {
            listen(record, cpu_ns, look);
        }
    }
}

/* ---- ticks since trust began anew ---- */

/* A base that is too old for the 32 bits of its clocks is set again. */
static bool has_base(const struct tclk_record *record, int64_t cpu_ns, struct tclk_point origin)
{
    int64_t base_ns = record->doubt.by.base.cpu_ns;
    return base_ns > origin.cpu_ns && cpu_ns - base_ns < FOLLOWED_MOST_NS;
}

/* If the thread has a share from its samples, it keeps that until there are enough ticks. */
static uint32_t share_since(const struct tclk_doubt *doubt, const struct tclk_usage *raw, int64_t booked_ns)
{
    const struct tclk_doubt_base *base = &doubt->by.base;
    int64_t since_ns = (int64_t)(uint32_t)((uint32_t)(booked_ns >> 10) - base->booked_1024ns) << 10;
    int64_t user_ns = (int64_t)(uint32_t)((uint32_t)(raw->user_ns >> 10) - base->user_1024ns) << 10;
    uint32_t share = TCLK_SHARE_ONE;
    if (doubt->belief == TCLK_BELIEF_BASE && since_ns < TICKS_NEEDED * tclk_settings.tick_ns) {
        tclk_doubt_tells(doubt, &share);
        return share;
    }
    return tclk_share_between(user_ns, since_ns - user_ns, share);
}

/* Uses the raw ticks instead of the kernel's split, which counts all ticks that there ever were. */
__attribute__((noinline)) static void understand_since(const struct tclk_record *record, int64_t cpu_ns,
                                                       struct tclk_split_look *look)
{
    int64_t user_ns;
    if (!look->tested || tclk_clock_read_own(TCLK_CLOCK_VIRT, &user_ns) != 0) {
        return;
    }
    look->taken = true;
    look->usage.user_ns = user_ns;
    look->usage.system_ns = look->booked_ns - user_ns;
    if (!has_base(record, cpu_ns, look->origin)) {
        look->holds = tclk_doubt_tells(&record->doubt, &look->share);
        look->passed = look->share;
        return;
    }
    const struct tclk_doubt_base *base = &record->doubt.by.base;
    look->share = share_since(&record->doubt, &look->usage, look->booked_ns);
    /* As the kernel does, this divides all CPU time by the ticks. The rule has no trend: time without ticks is user
     * time. */
    if (record->doubt.belief == TCLK_BELIEF_BASE) {
        look->usage.user_ns = ((int64_t)base->user_1024ns << 10) + tclk_share_of(cpu_ns - base->cpu_ns, look->share);
        look->trend = trend_of(record, cpu_ns, look);
    }
    look->origin = (struct tclk_point){base->cpu_ns, base->user_ns};
}

/* ---- */

/* The share of stretches of one kind, if samples have shown any. */
static uint32_t share_in(struct tclk_doubt_seen seen, uint32_t otherwise)
{
    return seen.passed_us == 0 ? otherwise
           : seen.user_us >= seen.passed_us
               ? TCLK_SHARE_ONE
               : tclk_share_between(seen.user_us, (int64_t)seen.passed_us - seen.user_us, otherwise);
}

/* The cost of a switch in system time: a stretch with a switch has this much less user time than one without. */
static uint32_t wait_ns(const struct tclk_doubt_bouts *bouts, uint32_t calm)
{
    int64_t user_us = tclk_share_of(bouts->switched.passed_us, calm) - bouts->switched.user_us;
    int64_t lost_us = (user_us << TCLK_SHARE_BITS) / calm;
    int64_t ns = bouts->stretches == 0 ? 0 : lost_us * 1000 / bouts->stretches;
    return ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}

/* Not every resync knows whether the thread has been switched out since its last reading. If it does not, the mean
 * is used. */
static bool is_told(const struct tclk_doubt *doubt, enum tclk_resync_cause cause, struct tclk_split_look *look)
{
    uint32_t mean;
    if (doubt->belief != TCLK_BELIEF_BOUTS || !tclk_doubt_tells(doubt, &mean)) {
        return false;
    }
    const struct tclk_doubt_bouts *bouts = &doubt->by.bouts;
    uint32_t calm = share_in(bouts->calm, mean);
    uint32_t switched = share_in(bouts->switched, mean);
    bool is_switch = cause == TCLK_RESYNC_SWITCH;
    bool is_known =
        is_switch || cause == TCLK_RESYNC_WINDOW || cause == TCLK_RESYNC_AHEAD || cause == TCLK_RESYNC_OVERLAP;
    look->share = is_known ? calm : mean;
    look->passed = look->share;
    if (is_switch && switched >= calm) {
        look->passed = switched;
    } else if (is_switch) {
        look->waited_ns = wait_ns(bouts, calm);
    }
    return true;
}

static void look_in_doubt(const struct tclk_record *record, int64_t cpu_ns, enum tclk_resync_cause cause,
                          struct tclk_split_look *look)
{
    look->doubts = true;
    look->holds = is_told(&record->doubt, cause, look);
    if (!is_due(record, cpu_ns) || tclk_usage_read(&look->usage) != 0) {
        return;
    }
    test_ticks(record, cpu_ns, look);
    if (look->holds) {
        look->taken = true;
    } else {
        understand_since(record, cpu_ns, look);
    }
}

void tclk_split_look(const struct tclk_record *record, int64_t cpu_ns, struct tclk_point origin,
                     enum tclk_resync_cause cause, struct tclk_split_look *look)
{
    memset(look, 0, sizeof *look); /* in place: a copy would take more of the stack */
    look->sampled = tclk_sampler_look(record, cpu_ns);
    look->origin = origin;
    if (record->doubt.belief != TCLK_BELIEF_TICKS && is_tested(look)) {
        look_in_doubt(record, cpu_ns, cause, look);
        return;
    }
    if (!is_due(record, cpu_ns) || tclk_usage_read(&look->usage) != 0) {
        return;
    }
    if (is_test_due(record, cpu_ns, look)) {
        test_ticks(record, cpu_ns, look);
    }
    understand(record, cpu_ns, look);
}

/* ---- consequences ---- */

static void suspect(struct tclk_record *record, enum tclk_ticks ticks)
{
    struct tclk_doubt *doubt = &record->doubt;
    switch ((enum tclk_belief)doubt->belief) {
    case TCLK_BELIEF_TICKS:
    case TCLK_BELIEF_BASE:
        doubt->by.bouts = (struct tclk_doubt_bouts){.weight = 0};
        tclk_doubt_tell(doubt, record->anchor.rate);
        tclk_tick_test_begin_again(&doubt->test);
        tclk_doubt_believe(doubt, TCLK_BELIEF_BOUTS);
        break;
    case TCLK_BELIEF_RULE: /* ticks that came were in step */
        if (ticks == TCLK_TICKS_ABSENT) {
            doubt->by.base = (struct tclk_doubt_base){.user_1024ns = 0};
        }
        break;
    case TCLK_BELIEF_BOUTS:
        break;
    }
}

/* Wake-ups show this before ticks can. A thread that cannot be sampled is better divided by its ticks. */
static bool wakes_in_step(const struct tclk_record *record, const struct tclk_split_look *look)
{
    const struct tclk_doubt *doubt = &record->doubt;
    return tclk_tick_test_is_in_step(&doubt->test) && is_tested(look) && tclk_bout_is_possible() &&
           (doubt->belief == TCLK_BELIEF_TICKS || doubt->belief == TCLK_BELIEF_BASE);
}

static void trust(struct tclk_doubt *doubt)
{
    if (doubt->belief == TCLK_BELIEF_BOUTS && doubt->by.bouts.place == 0) {
        doubt->by.base = (struct tclk_doubt_base){.user_1024ns = 0};
        tclk_doubt_believe(doubt, TCLK_BELIEF_BASE);
    } else if (doubt->belief == TCLK_BELIEF_RULE) {
        tclk_doubt_believe(doubt, TCLK_BELIEF_BASE);
    }
}

static void note_base(struct tclk_record *record, const struct tclk_split_look *look, struct tclk_point start)
{
    struct tclk_doubt *doubt = &record->doubt;
    doubt->by.base = (struct tclk_doubt_base){
        .cpu_ns = start.cpu_ns,
        .user_ns = start.user_ns,
        .user_1024ns = tclk_split_look_user_1024ns(look),
        .booked_1024ns = (uint32_t)(look->booked_ns >> 10),
    };
    record->trend = tclk_trend_begin(doubt->belief == TCLK_BELIEF_RULE ? TCLK_SHARE_ONE : look->share,
                                     TICKS_NEEDED * tclk_settings.tick_ns, tclk_settings.tick_ns);
}

/* A bout may be about to begin, or end, and a handler has interrupted it; then the thread's belief stays. */
void tclk_split_look_note_ticks(struct tclk_record *record, int64_t cpu_ns, const struct tclk_split_look *look,
                                struct tclk_point start)
{
    struct tclk_doubt *doubt = &record->doubt;
    uint8_t before = doubt->belief;
    if (look->taken || look->tested) {
        doubt->looked_cpu_ns = cpu_ns;
    }
    if (look->tested) {
        doubt->test = look->test;
        doubt->switches = look->test.cpu_ns == cpu_ns ? switches_of(look) : doubt->switches;
    }
    if (doubt->busy) {
        return;
    }
    if (look->has_news) {
        doubt->by.news = (struct tclk_doubt_news){.cpu_ns = cpu_ns, .share = look->share};
    }
    if (look->ticks == TCLK_TICKS_GOOD) {
        trust(doubt);
    } else if (look->ticks != TCLK_TICKS_UNDECIDED || wakes_in_step(record, look)) {
        suspect(record, look->ticks);
    }
    if (before == TCLK_BELIEF_RULE || before == TCLK_BELIEF_BASE) {
        if (look->taken && !look->doubts) { /* another split is in use for the time being */
            doubt->by.base = (struct tclk_doubt_base){.user_1024ns = 0};
        } else if (look->taken && look->holds && doubt->belief == before) {
            note_base(record, look, start);
        }
        tclk_doubt_tell(doubt, record->anchor.rate);
    }
}

/* The kernel's share is of the time since the origin. */
static struct tclk_line smoothed(const struct tclk_split_look *look, struct tclk_point last, int64_t cpu_ns)
{
    struct tclk_point origin = look->origin;
    struct tclk_point since = {last.cpu_ns - origin.cpu_ns, last.user_ns - origin.user_ns};
    uint32_t trend = tclk_trend_is_known(look->trend) ? tclk_trend_share(look->trend) : look->share;
    struct tclk_line line = tclk_split_smoothed(since, cpu_ns - origin.cpu_ns, look->share, trend);
    line.start.cpu_ns += origin.cpu_ns;
    line.start.user_ns += origin.user_ns;
    return line;
}

struct tclk_line tclk_split_look_line(const struct tclk_split_look *look, struct tclk_point last, int64_t cpu_ns,
                                      uint32_t rate)
{
    if (look->sampled.taken && !look->sampled.is_first) {
        return tclk_split_sampled(last, cpu_ns, look->sampled.user_ns, look->sampled.share, look->sampled.period_ns);
    }
    if (!look->taken || look->holds) {
        uint32_t passed = look->holds ? look->passed : rate;
        int64_t worked_ns = cpu_ns - last.cpu_ns - look->waited_ns;
        int64_t user_ns = last.user_ns + tclk_share_of(worked_ns > 0 ? worked_ns : 0, passed);
        return (struct tclk_line){.start = {cpu_ns, user_ns}, .rate = look->holds ? look->share : rate};
    }
    if (tclk_settings.split == TCLK_SPLIT_KERNEL) {
        int64_t user_ns = look->origin.user_ns + look->usage.user_ns;
        return tclk_split_kernel(last, cpu_ns, user_ns, look->share);
    }
    return smoothed(look, last, cpu_ns);
}

int tclk_split_look_aim(const struct tclk_record *record, struct tclk_aim *aim)
{
    struct tclk_usage usage;
    aim->origin = tclk_record_origin(record);
    aim->is_slope = tclk_bout_share(record, &aim->share);
    int error = aim->is_slope ? 0 : tclk_usage_read(&usage);
    if (error == 0 && !aim->is_slope) {
        aim->share = is_young(&usage) ? tclk_share_of_process() : share_of(&usage);
    }
    return error;
}
