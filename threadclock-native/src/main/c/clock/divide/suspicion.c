/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/divide/suspicion.h"

#include "clock/divide/steer.h"
#include "clock/settings.h"
#include "kernel/clockid.h"

bool tclk_suspicion_may_be(const struct tclk_look *look)
{
    return tclk_settings.split != TCLK_SPLIT_KERNEL && !look->sampled.taken;
}

static uint16_t switches_of(const struct tclk_look *look)
{
    return (uint16_t)tclk_usage_switches(&look->usage);
}

static uint16_t switches_since(const struct tclk_record *record, const struct tclk_look *look)
{
    return (uint16_t)(switches_of(look) - record->division.switches);
}

/* Takes the usage of this look. A look from before the thread's origin says nothing. */
void tclk_suspicion_test(const struct tclk_record *record, int64_t cpu_ns, struct tclk_look *look)
{
    if (!tclk_suspicion_may_be(look) || tclk_clock_read_own(TCLK_CLOCK_PROF, &look->booked_ns) != 0) {
        return;
    }
    look->tested = true;
    if (record->division.test.cpu_ns > look->origin.cpu_ns) {
        look->test = record->division.test;
    } else {
        look->test = (struct tclk_tick_test){
            .patience = record->division.test.patience,
            .in_step = record->division.test.in_step,
        };
    }
    look->ticks = tclk_tick_test_follow(&look->test, cpu_ns, look->booked_ns, switches_since(record, look),
                                        tclk_settings.tick_ns);
}

bool tclk_suspicion_is_due(const struct tclk_record *record, int64_t cpu_ns, const struct tclk_look *look)
{
    const struct tclk_division *division = &record->division;
    return tclk_suspicion_may_be(look) && record->probation == 0 && tclk_trend_is_known(record->division.trend) &&
           tclk_tick_test_is_due(&division->test, cpu_ns, tclk_settings.tick_ns);
}

/* Without ticks the kernel's share changes only because its values are whole microseconds. One tick moves it by a
 * few thousand of these, unless nearly all ticks have been of one kind, in which case the share says nothing. */
#define NEWS_NS 2000
#define ONE_KIND (TCLK_SHARE_ONE / 500)

/* Ticks of both kinds may come in exactly the ratio of those before. Then there are as many as there should be. */
static void confirm_silence(const struct tclk_record *record, int64_t cpu_ns, struct tclk_look *look)
{
    if (!look->tested) {
        tclk_suspicion_test(record, cpu_ns, look);
    }
    if (look->tested && look->ticks == TCLK_TICKS_UNDECIDED &&
        tclk_tick_test_misses(&record->division.test, cpu_ns, look->booked_ns, switches_since(record, look),
                              tclk_settings.tick_ns)) {
        look->ticks = TCLK_TICKS_ABSENT;
    }
}

void tclk_suspicion_listen(const struct tclk_record *record, int64_t cpu_ns, struct tclk_look *look)
{
    const struct tclk_division_news *last = &record->division.by.news;
    int64_t all_ns = look->usage.user_ns + look->usage.system_ns;
    uint32_t moved = look->share > last->share ? look->share - last->share : last->share - look->share;
    bool tells = look->share > ONE_KIND && look->share < TCLK_SHARE_ONE - ONE_KIND;
    look->has_news = !tells || last->cpu_ns <= look->origin.cpu_ns || tclk_share_of(all_ns, moved) > NEWS_NS;
    if (!look->has_news &&
        tclk_tick_test_is_silence(&record->division.test, cpu_ns - last->cpu_ns, tclk_settings.tick_ns)) {
        confirm_silence(record, cpu_ns, look);
    }
}

/* ---- consequences ---- */

static void suspect(struct tclk_record *record, enum tclk_ticks ticks)
{
    struct tclk_division *division = &record->division;
    switch ((enum tclk_belief)division->belief) {
    case TCLK_BELIEF_TICKS:
    case TCLK_BELIEF_BASE:
        division->by.bouts = (struct tclk_division_bouts){.weight = 0};
        tclk_division_tell(division, record->anchor.rate);
        tclk_tick_test_begin_again(&division->test);
        tclk_division_believe(division, TCLK_BELIEF_BOUTS);
        break;
    case TCLK_BELIEF_RULE: /* ticks that came were in step */
        if (ticks == TCLK_TICKS_ABSENT) {
            division->by.base = (struct tclk_division_base){.user_1024ns = 0};
        }
        break;
    case TCLK_BELIEF_BOUTS:
        break;
    }
}

/* Wake-ups show this before ticks can. A thread that cannot be sampled is better divided by its ticks. */
static bool wakes_in_step(const struct tclk_record *record, const struct tclk_look *look)
{
    const struct tclk_division *division = &record->division;
    return tclk_tick_test_is_in_step(&division->test) && tclk_suspicion_may_be(look) && look->may_sample &&
           (division->belief == TCLK_BELIEF_TICKS || division->belief == TCLK_BELIEF_BASE);
}

static void trust(struct tclk_division *division)
{
    if (division->belief == TCLK_BELIEF_BOUTS && division->by.bouts.place == 0) {
        division->by.base = (struct tclk_division_base){.user_1024ns = 0};
        tclk_division_believe(division, TCLK_BELIEF_BASE);
    } else if (division->belief == TCLK_BELIEF_RULE) {
        tclk_division_believe(division, TCLK_BELIEF_BASE);
    }
}

static void note_base(struct tclk_record *record, const struct tclk_look *look, struct tclk_point start)
{
    struct tclk_division *division = &record->division;
    division->by.base = (struct tclk_division_base){
        .cpu_ns = start.cpu_ns,
        .user_ns = start.user_ns,
        .user_1024ns = tclk_look_user_1024ns(look),
        .booked_1024ns = (uint32_t)(look->booked_ns >> 10),
    };
    record->division.trend = tclk_trend_begin(division->belief == TCLK_BELIEF_RULE ? TCLK_SHARE_ONE : look->share,
                                              TCLK_TICKS_NEEDED * tclk_settings.tick_ns, tclk_settings.tick_ns);
}

/* A bout may be about to begin, or end, and a handler has interrupted it; then the thread's belief stays. */
void tclk_suspicion_note(struct tclk_record *record, int64_t cpu_ns, const struct tclk_look *look,
                         struct tclk_point start)
{
    struct tclk_division *division = &record->division;
    uint8_t before = division->belief;
    if (look->taken || look->tested) {
        division->looked_cpu_ns = cpu_ns;
    }
    if (look->tested) {
        division->test = look->test;
        division->switches = look->test.cpu_ns == cpu_ns ? switches_of(look) : division->switches;
    }
    if (division->busy) {
        return;
    }
    if (look->has_news) {
        division->by.news = (struct tclk_division_news){.cpu_ns = cpu_ns, .share = look->share};
    }
    if (look->ticks == TCLK_TICKS_GOOD) {
        trust(division);
    } else if (look->ticks != TCLK_TICKS_UNDECIDED || wakes_in_step(record, look)) {
        suspect(record, look->ticks);
    }
    if (before == TCLK_BELIEF_RULE || before == TCLK_BELIEF_BASE) {
        if (look->taken && !look->doubts) { /* another split is in use for the time being */
            division->by.base = (struct tclk_division_base){.user_1024ns = 0};
        } else if (look->taken && look->holds && division->belief == before) {
            note_base(record, look, start);
        }
        tclk_division_tell(division, record->anchor.rate);
    }
}

void tclk_suspicion_note_wake(struct tclk_record *record, int64_t wall_ns, int64_t cpu_ns)
{
    struct tclk_division *division = &record->division;
    bool has_begun = tclk_tick_test_note_wake(&division->test, wall_ns, cpu_ns, tclk_settings.tick_ns);
    if (has_begun && division->belief == TCLK_BELIEF_BOUTS) {
        division->by.bouts.has_changed = true;
    }
}
