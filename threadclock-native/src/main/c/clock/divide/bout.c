/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/divide/bout.h"

#include "clock/divide/sampler.h"
#include "clock/jdk_ways.h"
#include "clock/settings.h"
#include "kernel/clockid.h"
#include "kernel/usage.h"

/* The number of samples in a bout of full length. */
#define SAMPLES 16

/* The number of samples between two readings of a thread that reads so seldom that a bout ends at the next reading. */
#define SAMPLES_IN_GAP INT64_C(48)

/* The shortest period of later bouts. Like the sampler's period, neither it nor twice it is near a simple part of a
 * usual round of work. It varies by a quarter from bout to bout, so that no thread stays in step with it for long. */
#define PERIOD_LEAST_US 179
#define PERIOD_MOST_US 8000

/* The period of a thread's first bout. Its first samples are used at once, because the ticks until then may have
 * been completely wrong. */
#define PERIOD_FIRST_US 120
#define SAMPLES_FIRST 3

/* This many bouts follow one another at first, because a single one may be wrong. The rest after them pays for all
 * of them. */
#define BOUTS_AT_FIRST 3

/* More samples come only if the thread does not read for several times as long as it did before. */
#define SAMPLES_LIMIT 64
#define SAMPLES_LIMIT_FIRST 32

/* Bouts take one part in PARTS of the thread's CPU time. */
#define PARTS 100

/* The mean is over this many bouts, which come from some 350 ms of CPU time. */
#define WEIGHT_MOST 8

/* A share that is nearer to the mean than this counts as the same share. */
#define APART_LEAST (TCLK_SHARE_ONE / 10)

/* CPU time by which bouts that cannot wait may exceed their 1 %. */
#define CREDIT_NS INT64_C(250000000)

/* The part of a sample's cost that a switch costs: some 4 of 20 us in a guest of KVM. SWITCH_PARTS_AT_MOST assumes
 * more, so that the cost of bouts is not underestimated. */
#define SWITCH_PARTS 4
#define SWITCH_PARTS_AT_MOST 3

#define OPENING_NS 20000

/* The cost of a sample is measured by the same work with and without samples. */
#define PROBE_PERIOD_NS INT64_C(50000)
#define PROBE_TRIES 4
#define PROBE_CALLS 150
/* Twice the rate that a bout needs at most, because the kernel throttles events that come near its limit. */
#define RATE_NEEDED (2 * 1000000 / (PERIOD_FIRST_US * 3 / 4))

#define SAMPLE_NS_LEAST 1000
#define SAMPLE_NS_MOST 100000

/* A bout in progress. */
struct bout {
    struct tclk_sample_page *page;
    int64_t begin_ns;  /* CPU time */
    uint32_t switches; /* the thread's count of switches when the bout began, modulo 2^32 */
    uint16_t period_us;
    uint16_t limit; /* the kernel ends the event at this number of samples */
};

static struct tclk_verdict verdict = {.refusal = TCLK_NOT_TRIED};
static int64_t sample_cost_ns;
static uint64_t bouts;

/* Each place belongs to the thread that has taken its bit. */
static struct bout places[TCLK_BOUTS_MAX];
static uint32_t places_taken;

_Static_assert(TCLK_BOUTS_MAX < 32, "a bit each");

/* ---- whether bouts work here, and at what price ---- */

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
        return (struct tclk_verdict){.refusal = TCLK_REFUSED_SAMPLE_RATE, .a = rate, .b = RATE_NEEDED};
    }
    for (int i = 0; i < PROBE_TRIES; i++) {
        struct tclk_sample_page *page;
        enum tclk_perf_step step;
        plain_ns = least(plain_ns, work_ns());
        int error = tclk_sample_page_map(&page, PROBE_PERIOD_NS, SAMPLES_LIMIT, &step);
        if (error != 0) {
            return tclk_proof_perf_refusal(step, error);
        }
        sampled_ns = least(sampled_ns, work_ns());
        samples += tclk_sample_page_written(page);
        tclk_sample_page_unmap(page);
    }
    if (samples == 0) {
        return (struct tclk_verdict){.refusal = TCLK_REFUSED_NO_SAMPLES};
    }
    int64_t cost_ns = (sampled_ns - plain_ns) / most(sampled_ns / PROBE_PERIOD_NS, 1);
    sample_cost_ns = cost_ns < SAMPLE_NS_LEAST ? SAMPLE_NS_LEAST : cost_ns > SAMPLE_NS_MOST ? SAMPLE_NS_MOST : cost_ns;
    return (struct tclk_verdict){.refusal = TCLK_ACCEPTED};
}

/* Returns TCLK_NOT_TRIED while another thread proves something. */
static enum tclk_refusal refusal(void)
{
    if (__atomic_load_n((uint32_t *)&verdict.refusal, __ATOMIC_ACQUIRE) == TCLK_NOT_TRIED && tclk_proof_begin()) {
        if (verdict.refusal == TCLK_NOT_TRIED) {
            struct tclk_verdict found = prove();
            verdict.error = found.error;
            verdict.a = found.a;
            verdict.b = found.b;
            __atomic_store_n((uint32_t *)&verdict.refusal, (uint32_t)found.refusal, __ATOMIC_RELEASE);
        }
        tclk_proof_end();
    }
    return (enum tclk_refusal)__atomic_load_n((uint32_t *)&verdict.refusal, __ATOMIC_ACQUIRE);
}

/* The verdict is complete once it has a refusal, or is an acceptance. */
struct tclk_verdict tclk_bout_verdict(void)
{
    uint32_t why = __atomic_load_n((uint32_t *)&verdict.refusal, __ATOMIC_ACQUIRE);
    return why == TCLK_NOT_TRIED ? (struct tclk_verdict){.refusal = TCLK_NOT_TRIED} : verdict;
}

bool tclk_bout_is_possible(void)
{
    uint32_t why = __atomic_load_n((uint32_t *)&verdict.refusal, __ATOMIC_RELAXED);
    return why == TCLK_ACCEPTED || why == TCLK_NOT_TRIED;
}

/* ---- the place of a bout ---- */

static struct bout *bout_of(const struct tclk_division *division)
{
    return &places[division->by.bouts.place - 1];
}

/* Returns 0 if no place is left. */
static uint8_t take_place(void)
{
    uint32_t taken = __atomic_load_n(&places_taken, __ATOMIC_RELAXED);
    int place;
    do {
        place = __builtin_ctz(~taken);
        if (place >= TCLK_BOUTS_MAX) {
            return 0;
        }
    } while (!__atomic_compare_exchange_n(&places_taken, &taken, taken | UINT32_C(1) << place, true, __ATOMIC_ACQUIRE,
                                          __ATOMIC_RELAXED));
    return (uint8_t)(place + 1);
}

static void give_place(uint8_t place)
{
    __atomic_fetch_and(&places_taken, ~(UINT32_C(1) << (place - 1)), __ATOMIC_RELEASE);
}

/* ---- a bout ---- */

/* The CPU time that was last returned for the thread. It saves the caller a system call. */
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

static bool is_first(const struct tclk_division_bouts *known)
{
    return known->weight == 0 && known->period_us == 0;
}

/* Threads that read seldom are sampled at longer periods, over as long as they usually do not read. The first bout
 * is an exception, because it finds out how often the thread reads. */
static uint16_t period_us_for(const struct tclk_record *record)
{
    const struct tclk_division_bouts *known = &record->division.by.bouts;
    int64_t told_ns = told_cpu_ns(record);
    int64_t gap_ns = most(told_ns - tclk_moment_cpu_ns(record->anchor.moment),
                          cpu_now_ns() + tclk_record_origin(record).cpu_ns - told_ns);
    int64_t wanted_us = most(gap_ns / SAMPLES_IN_GAP / 1000, most(PERIOD_LEAST_US, known->period_us));
    int64_t us = is_first(known) ? PERIOD_FIRST_US : least(wanted_us, PERIOD_MOST_US);
    uint64_t turn = __atomic_fetch_add(&bouts, 1, __ATOMIC_RELAXED) * 40503 % 65536;
    return (uint16_t)(us * 3 / 4 + us * (int64_t)turn / 131072);
}

static int64_t period_ns(const struct bout *bout)
{
    return bout->period_us * INT64_C(1000);
}

static void go_by_rule(struct tclk_division *division)
{
    division->by.base = (struct tclk_division_base){.user_1024ns = 0};
    tclk_division_believe(division, TCLK_BELIEF_RULE);
}

static void begin(struct tclk_record *record, uint8_t place)
{
    struct tclk_division *division = &record->division;
    struct bout *bout = &places[place - 1];
    enum tclk_perf_step step;
    *bout = (struct bout){
        .period_us = period_us_for(record),
        .limit = is_first(&division->by.bouts) ? SAMPLES_LIMIT_FIRST : SAMPLES_LIMIT,
        .switches = switches_now(),
    };
    int error = tclk_sample_page_map(&bout->page, period_ns(bout), bout->limit, &step);
    if (error != 0) {
        give_place(place);
        tclk_sampler_count_refusal(tclk_proof_perf_refusal(step, error));
        go_by_rule(division);
        return;
    }
    bout->begin_ns = cpu_now_ns();
    division->by.bouts.place = place;
    division->by.bouts.has_changed = false;
}

/* For a bout that has reached its limit, this assumes that as many samples again were due while the thread was in
 * the kernel. */
static int64_t cost_ns(const struct bout *bout, int64_t passed_ns, int64_t switches, uint64_t written)
{
    int64_t due = passed_ns / period_ns(bout) + 1;
    int64_t samples = written >= bout->limit ? least(due, 2 * (int64_t)written) : due;
    return OPENING_NS + samples * sample_cost_ns + switches * sample_cost_ns / SWITCH_PARTS_AT_MOST;
}

/* Computes the share from the times at which the timer was due. The timer makes switches take longer, which is not
 * the thread's own time. */
static uint32_t share_seen(const struct bout *bout, int64_t passed_ns, int64_t switches, uint64_t written)
{
    int64_t due = passed_ns / period_ns(bout);
    int64_t all_ns = most(due, (int64_t)written) * period_ns(bout) - switches * sample_cost_ns / SWITCH_PARTS;
    int64_t users = (int64_t)tclk_sample_page_count(bout->page, 0, tclk_sample_page_head(bout->page));
    int64_t user_ns = users * period_ns(bout);
    return user_ns >= all_ns ? TCLK_SHARE_ONE : tclk_share_between(user_ns, all_ns - user_ns, TCLK_SHARE_ONE);
}

/* Whether the share is further from the mean than chance would take the samples of one bout in 20. */
static bool is_other(uint32_t seen, uint32_t share)
{
    uint64_t apart = seen < share ? share - seen : seen - share;
    uint64_t middle = ((uint64_t)seen + share) / 2;
    uint64_t spread = middle * (TCLK_SHARE_ONE - middle) / SAMPLES;
    return apart > APART_LEAST && apart * apart > 4 * spread;
}

/* A change is believed if the next bout, which follows at once, shows it as well. On a host that withholds the CPU,
 * a single bout may be completely wrong. */
static void learn(struct tclk_division *division, uint32_t seen)
{
    struct tclk_division_bouts *known = &division->by.bouts;
    uint32_t share = seen;
    tclk_division_tells(division, &share);
    bool has_changed = known->weight > 0 && is_other(seen, share);
    if (has_changed && !known->is_repeated) {
        known->is_repeated = true;
        return;
    }
    if (has_changed) {
        *known = (struct tclk_division_bouts){.period_us = known->period_us};
    }
    tclk_division_tell(division, (uint32_t)(share + ((int64_t)seen - share) / (known->weight + 1)));
    known->weight = (known->weight < WEIGHT_MOST ? known->weight + 1 : WEIGHT_MOST) & 63;
    known->period_us = (uint16_t)(known->period_us * 7 / 8);
    known->is_repeated = false;
}

/* The rest begins at the bout's begin, or at the end of the rest after earlier bouts. */
static void rest(struct tclk_division *division, int64_t begin_ns, int64_t spent_ns)
{
    division->rests_until_ns = most(division->rests_until_ns, begin_ns) + PARTS * spent_ns;
}

/* The thread has not read while its samples lasted. The next bout lasts as long as it did not read. */
static void ask_longer(struct tclk_division_bouts *known, int64_t passed_ns)
{
    known->period_us = (uint16_t)least(passed_ns / SAMPLES_IN_GAP / 1000, PERIOD_MOST_US);
    known->is_repeated = true;
}

/* Clears the place first, so that a handler that comes now finds no bout, and leaves the rest alone
 * (tclk_division.busy). */
static void end(struct tclk_record *record, int64_t passed_ns)
{
    struct tclk_division *division = &record->division;
    struct bout *bout = bout_of(division);
    uint8_t place = division->by.bouts.place;
    uint64_t written = tclk_sample_page_written(bout->page);
    int64_t switches = (int64_t)(uint32_t)(switches_now() - bout->switches);
    uint32_t seen = passed_ns >= period_ns(bout) ? share_seen(bout, passed_ns, switches, written) : 0;
    division->by.bouts.place = 0;
    tclk_sample_page_unmap(bout->page);
    rest(division, told_cpu_ns(record) - most(passed_ns, 0), cost_ns(bout, most(passed_ns, 0), switches, written));
    if (written >= bout->limit) {
        ask_longer(&division->by.bouts, passed_ns);
    } else if (passed_ns >= SAMPLES * period_ns(bout)) {
        learn(division, seen);
    }
    give_place(place);
}

/* Uses the samples of the first bout before it ends. */
static void tell_early(struct tclk_division *division, const struct bout *bout, int64_t passed_ns)
{
    if (division->by.bouts.weight == 0 && passed_ns >= SAMPLES_FIRST * period_ns(bout)) {
        tclk_division_tell(division, share_seen(bout, passed_ns, 0, 0));
    }
}

static void go_on(struct tclk_record *record, bool wanted)
{
    struct bout *bout = bout_of(&record->division);
    int64_t now_ns = cpu_now_ns();
    int64_t passed_ns = now_ns - bout->begin_ns;
    /* a restored thread has less CPU time */
    if (!wanted || passed_ns >= SAMPLES * period_ns(bout) || passed_ns < 0) {
        end(record, passed_ns);
    } else {
        tell_early(&record->division, bout, passed_ns);
    }
}

static void begin_if_possible(struct tclk_record *record)
{
    enum tclk_refusal why = refusal();
    uint8_t place = why == TCLK_ACCEPTED ? take_place() : 0;
    if (place != 0) {
        begin(record, place);
    } else if (why != TCLK_ACCEPTED && why != TCLK_NOT_TRIED) {
        go_by_rule(&record->division);
    }
}

static bool is_wanted(const struct tclk_record *record)
{
    return tclk_settings.split != TCLK_SPLIT_KERNEL && !tclk_jdk_way_is_used() && tclk_sampler_of(record) == NULL;
}

static bool is_resting(const struct tclk_record *record)
{
    const struct tclk_division_bouts *known = &record->division.by.bouts;
    bool are_first = known->weight > 0 && known->weight < BOUTS_AT_FIRST;
    bool is_urgent = are_first || known->is_repeated || known->has_changed;
    return told_cpu_ns(record) < record->division.rests_until_ns - (is_urgent ? CREDIT_NS : 0);
}

static void follow(struct tclk_record *record)
{
    const struct tclk_division *division = &record->division;
    bool wanted = is_wanted(record);
    if (division->by.bouts.place != 0) {
        go_on(record, wanted);
    } else if (wanted && !is_resting(record)) {
        begin_if_possible(record);
    }
}

void tclk_bout_follow(struct tclk_record *record)
{
    struct tclk_division *division = &record->division;
    if (division->busy || tclk_record_is_written(record)) {
        return;
    }
    division->busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (division->belief == TCLK_BELIEF_BOUTS) {
        follow(record);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    division->busy = false;
}

void tclk_bout_detach(struct tclk_record *record)
{
    struct tclk_division *division = &record->division;
    if (division->belief == TCLK_BELIEF_BOUTS && division->by.bouts.place != 0) {
        uint8_t place = division->by.bouts.place;
        division->by.bouts.place = 0;
        tclk_sample_page_unmap(places[place - 1].page);
        give_place(place);
    }
    tclk_division_believe(division, TCLK_BELIEF_TICKS);
}

void tclk_bout_after_fork(void)
{
    places_taken = 0;
}
