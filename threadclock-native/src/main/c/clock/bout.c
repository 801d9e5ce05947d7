/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/bout.h"

#include "clock/epoch.h"
#include "clock/sampler.h"
#include "clock/source.h"
#include "kernel/clockid.h"
#include "kernel/usage.h"

/* Of a bout, while it is as long as it should be. */
#define SAMPLES 16

/* As the sampler's period, and two of it: near to no simple part of a usual round of work. It is varied from bout to
 * bout, by a quarter, so that none is in step with the thread's own rounds for long. */
#define PERIOD_LEAST_US 179
#define PERIOD_MOST_US 8000

/* More come only if the thread does not read for several times as long as it did. */
#define SAMPLES_LIMIT (4 * SAMPLES)

/* Bouts take this part of the thread's CPU time. */
#define PARTS 100

/* So many samples are remembered: those of some 700 ms of CPU time. */
#define WEIGHT_MOST 240

/* The work has changed: chance takes 16 samples so far from their mean once in some hundred bouts. */
#define CHANGED (TCLK_SHARE_ONE / 5 * 2)

/* A switch's part of what a sample costs: some 4 of 20 us in a guest of KVM. Twice as much to be sure of what bouts cost. */
#define SWITCH_PARTS 4
#define SWITCH_PARTS_AT_MOST 2

#define OPENING_NS 20000

/* What a sample costs is measured by the same work with and without. */
#define PROBE_PERIOD_NS INT64_C(50000)
#define PROBE_TRIES 4
#define PROBE_CALLS 150
/* Twice what a bout takes at most: the kernel throttles what comes near its limit. */
#define RATE_NEEDED (2 * 1000000 / (PERIOD_LEAST_US * 3 / 4))

#define SAMPLE_NS_LEAST 1000
#define SAMPLE_NS_MOST 100000

static struct tclk_verdict verdict = {.refusal = TCLK_NOT_TRIED};
static int64_t sample_cost_ns;
static int32_t open_bouts;
static uint64_t bouts;

/* ---- whether it works here, and at what price ---- */

static int64_t cpu_now_ns(void)
{
    int64_t ns = 0;
    tclk_clock_read_own(TCLK_CLOCK_SCHED, &ns);
    return ns;
}

static int64_t work_ns(void)
{
    int64_t begin_ns = cpu_now_ns();
    int64_t now_ns = begin_ns;
    for (int i = 0; i < PROBE_CALLS; i++) {
        for (volatile int j = 0; j < 1000; j++) {
        }
        now_ns = cpu_now_ns();
    }
    return now_ns - begin_ns;
}

static int64_t least(int64_t a_ns, int64_t b_ns)
{
    return a_ns < b_ns ? a_ns : b_ns;
}

static int64_t most(int64_t a_ns, int64_t b_ns)
{
    return a_ns > b_ns ? a_ns : b_ns;
}

static struct tclk_verdict prove(void)
{
    int64_t plain_ns = INT64_MAX;
    int64_t sampled_ns = INT64_MAX;
    uint64_t samples = 0;
    int rate;
    if (tclk_sample_rate_max(&rate) == 0 && rate < RATE_NEEDED) {
        return (struct tclk_verdict){
            .refusal = TCLK_REFUSED_SAMPLE_RATE, .a = rate, .b = RATE_NEEDED};
    }
    for (int i = 0; i < PROBE_TRIES; i++) {
        struct tclk_sample_page *page;
        enum tclk_perf_step step;
        plain_ns = least(plain_ns, work_ns());
        int error = tclk_sample_page_map_limited(&page, PROBE_PERIOD_NS, SAMPLES_LIMIT, &step);
        if (error != 0) {
            return tclk_sampler_refusal(step, error);
        }
        sampled_ns = least(sampled_ns, work_ns());
        samples += tclk_sample_page_written(page);
        tclk_sample_page_unmap(page);
    }
    if (samples == 0) {
        return (struct tclk_verdict){.refusal = TCLK_REFUSED_NO_SAMPLES};
    }
    int64_t cost_ns = (sampled_ns - plain_ns) / most(sampled_ns / PROBE_PERIOD_NS, 1);
    sample_cost_ns = cost_ns < SAMPLE_NS_LEAST  ? SAMPLE_NS_LEAST
                     : cost_ns > SAMPLE_NS_MOST ? SAMPLE_NS_MOST
                                                : cost_ns;
    return (struct tclk_verdict){.refusal = TCLK_ACCEPTED};
}

/* TCLK_NOT_TRIED if somebody else is proving something at this moment. */
static enum tclk_refusal refusal(void)
{
    if (__atomic_load_n((uint32_t *)&verdict.refusal, __ATOMIC_ACQUIRE) == TCLK_NOT_TRIED &&
        tclk_proof_begin()) {
        if (verdict.refusal == TCLK_NOT_TRIED) {
            struct tclk_verdict found = prove();
            verdict.error = found.error;
            verdict.a = found.a;
            verdict.b = found.b;
            __atomic_store_n((uint32_t *)&verdict.refusal, (uint32_t)found.refusal,
                             __ATOMIC_RELEASE);
        }
        tclk_proof_end();
    }
    return (enum tclk_refusal)__atomic_load_n((uint32_t *)&verdict.refusal, __ATOMIC_ACQUIRE);
}

struct tclk_verdict tclk_bout_verdict(void)
{
    return verdict;
}

/* ---- a bout ---- */

/* What was last told: the caller asks no clock for it. */
static int64_t told_cpu_ns(const struct tclk_record *record)
{
    return tclk_moment_cpu_ns(tclk_record_state(record));
}

static uint32_t switches_now(void)
{
    struct tclk_usage usage = {.user_ns = 0};
    tclk_usage_read(&usage);
    return (uint32_t)tclk_usage_switches(&usage);
}

static bool take_place(void)
{
    if (__atomic_fetch_add(&open_bouts, 1, __ATOMIC_RELAXED) < TCLK_BOUTS_MAX) {
        return true;
    }
    __atomic_fetch_sub(&open_bouts, 1, __ATOMIC_RELAXED);
    return false;
}

static void give_place(void)
{
    __atomic_fetch_sub(&open_bouts, 1, __ATOMIC_RELAXED);
}

/* Threads that read seldom are sampled seldom, over as long as they do not read. */
static uint16_t period_us_for(const struct tclk_record *record)
{
    int64_t told_ns = told_cpu_ns(record);
    int64_t gap_ns = most(told_ns - tclk_moment_cpu_ns(record->anchor.moment),
                          cpu_now_ns() + tclk_epoch_origin(record).cpu_ns - told_ns);
    int64_t us = gap_ns / SAMPLES / 1000;
    us = us < PERIOD_LEAST_US ? PERIOD_LEAST_US : us > PERIOD_MOST_US ? PERIOD_MOST_US : us;
    uint64_t turn = __atomic_fetch_add(&bouts, 1, __ATOMIC_RELAXED) * 40503 % 65536;
    return (uint16_t)(us * 3 / 4 + us * (int64_t)turn / 131072);
}

static int64_t length_ns(const struct tclk_doubt_bout *bout)
{
    return bout->period_us * INT64_C(1000) * SAMPLES;
}

static void go_by_rule(struct tclk_doubt *doubt)
{
    doubt->by.base = (struct tclk_doubt_base){.user_1024ns = 0};
    tclk_doubt_believe(doubt, TCLK_BELIEF_RULE);
}

static void begin(struct tclk_record *record)
{
    struct tclk_doubt *doubt = &record->doubt;
    struct tclk_doubt_bout *bout = &doubt->by.bout;
    struct tclk_sample_page *page;
    enum tclk_perf_step step;
    bout->period_us = period_us_for(record);
    bout->switches = switches_now();
    int error =
        tclk_sample_page_map_limited(&page, bout->period_us * INT64_C(1000), SAMPLES_LIMIT, &step);
    if (error != 0) {
        give_place();
        tclk_sampler_count_refusal(tclk_sampler_refusal(step, error));
        go_by_rule(doubt);
        return;
    }
    bout->begin_ns = cpu_now_ns();
    bout->page = page;
}

static int64_t cost_ns(const struct tclk_doubt_bout *bout, int64_t passed_ns, int64_t switches)
{
    int64_t samples = passed_ns / (bout->period_us * INT64_C(1000)) + 1;
    return OPENING_NS + samples * sample_cost_ns + switches * sample_cost_ns / SWITCH_PARTS_AT_MOST;
}

/* By the times that the timer was due. Switches take longer than without it: that is none of the thread's ways. */
static uint32_t share_seen(const struct tclk_doubt_bout *bout, int64_t passed_ns, int64_t switches,
                           uint64_t users, uint64_t written)
{
    int64_t period_ns = bout->period_us * INT64_C(1000);
    int64_t due = passed_ns / period_ns;
    int64_t all_ns =
        most(due, (int64_t)written) * period_ns - switches * sample_cost_ns / SWITCH_PARTS;
    int64_t user_ns = (int64_t)users * period_ns;
    return user_ns >= all_ns ? TCLK_SHARE_ONE
                             : tclk_share_between(user_ns, all_ns - user_ns, TCLK_SHARE_ONE);
}

/* A change is believed if the next bout, which comes at once, shows it as well: on a host that withholds the CPU a single
 * one may be wrong altogether. */
static void learn(struct tclk_doubt *doubt, uint32_t seen)
{
    struct tclk_doubt_bout *bout = &doubt->by.bout;
    uint32_t share = seen;
    tclk_doubt_tells(doubt, &share);
    int64_t apart = (int64_t)seen - share;
    bool has_changed = bout->weight > 0 && (apart < 0 ? -apart : apart) > CHANGED;
    if (has_changed && !bout->is_repeated) {
        bout->is_repeated = true;
        return;
    }
    int weight = has_changed ? 0 : bout->weight;
    tclk_doubt_tell(doubt, (uint32_t)(share + apart * SAMPLES / (weight + SAMPLES)));
    weight += SAMPLES;
    bout->weight = (uint8_t)(weight > WEIGHT_MOST ? WEIGHT_MOST : weight);
    bout->is_repeated = false;
}

/* From the bout's begin, or from where those before it rest until. */
static void rest(struct tclk_doubt *doubt, int64_t begin_ns, int64_t spent_ns)
{
    doubt->rests_until_ns = most(doubt->rests_until_ns, begin_ns) + PARTS * spent_ns;
}

/* The page goes first: a handler that comes now finds no bout, and leaves the rest alone (tclk_doubt.busy). */
static void end(struct tclk_record *record)
{
    struct tclk_doubt *doubt = &record->doubt;
    struct tclk_doubt_bout *bout = &doubt->by.bout;
    struct tclk_sample_page *page = bout->page;
    int64_t passed_ns = most(cpu_now_ns() - bout->begin_ns, 0);
    uint64_t written = tclk_sample_page_written(page);
    uint64_t users = tclk_sample_page_count(page, 0, tclk_sample_page_head(page));
    bout->page = NULL;
    tclk_sample_page_unmap(page);
    give_place();
    int64_t switches = (int64_t)(uint32_t)(switches_now() - bout->switches);
    rest(doubt, told_cpu_ns(record) - passed_ns, cost_ns(bout, passed_ns, switches));
    if (written < SAMPLES_LIMIT && passed_ns >= length_ns(bout)) {
        learn(doubt, share_seen(bout, passed_ns, switches, users, written));
    }
}

static bool is_wanted(const struct tclk_record *record)
{
    return tclk_settings.split != TCLK_SPLIT_KERNEL && !tclk_source_is_for_comparison() &&
           tclk_sampler_of(record) == NULL && tclk_record_is_wiped(record);
}

static void follow(struct tclk_record *record)
{
    struct tclk_doubt *doubt = &record->doubt;
    const struct tclk_doubt_bout *bout = &doubt->by.bout;
    bool wanted = is_wanted(record);
    if (bout->page != NULL) {
        int64_t passed_ns = cpu_now_ns() - bout->begin_ns;
        if (!wanted || passed_ns >= length_ns(bout) || passed_ns < 0) { /* restored */
            end(record);
        }
    } else if (wanted && (bout->is_repeated || told_cpu_ns(record) >= doubt->rests_until_ns)) {
        enum tclk_refusal why = refusal();
        if (why == TCLK_ACCEPTED && take_place()) {
            begin(record);
        } else if (why != TCLK_ACCEPTED && why != TCLK_NOT_TRIED) {
            go_by_rule(doubt);
        }
    }
}

void tclk_bout_follow(struct tclk_record *record)
{
    struct tclk_doubt *doubt = &record->doubt;
    if (doubt->busy ||
        __atomic_load_n(&record->writing, __ATOMIC_RELAXED) != TCLK_WRITING_NOTHING) {
        return;
    }
    doubt->busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (doubt->belief == TCLK_BELIEF_BOUTS) {
        follow(record);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    doubt->busy = false;
}

void tclk_bout_retire(struct tclk_record *record)
{
    struct tclk_doubt *doubt = &record->doubt;
    if (doubt->belief == TCLK_BELIEF_BOUTS && doubt->by.bout.page != NULL) {
        struct tclk_sample_page *page = doubt->by.bout.page;
        doubt->by.bout.page = NULL;
        tclk_sample_page_unmap(page);
        give_place();
    }
    tclk_doubt_believe(doubt, TCLK_BELIEF_TICKS);
}

void tclk_bout_forget_all(void)
{
    open_bouts = 0;
}
