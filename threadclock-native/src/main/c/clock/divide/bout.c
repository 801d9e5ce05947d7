/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/divide/bout.h"

#include "clock/divide/sampler.h"
#include "clock/jdk_ways.h"
#include "clock/settings.h"
#include "kernel/clockid.h"
#include "kernel/raw_clock.h"
#include "kernel/sample_page.h"
#include "kernel/usage.h"

/* The number of samples that are due in a bout, and after how many records it ends if the thread does not read. */
#define SAMPLES 8
#define SAMPLES_LIMIT 12

/* Bouts follow one another at first until so many samples were due. */
#define DUE_WANTED 24

/* A bout's period. Neither it nor twice it is near a simple part of a usual round of work. It varies by a quarter from
 * bout to bout, so that no thread stays in step with it for long. A thread that reads seldom has a longer one, so that
 * its samples last until it reads again; but not if its rhythm has just changed. */
#define PERIOD_US 160
#define PERIOD_MOST_US 8000

/* CPU time of a thread before its first bout, so that short threads and programs do not pay for it. */
#define AGE_TICKS 3

/* Ticks find a thread that runs on for longer than this between its sleeps. Then they are samples as well. */
#define RUN_TICKS 4
#define TICKS_AT_A_TIME 8

/* Standard errors by which a bout surprises: chance does it once in some hundred times. After a change, one will do. */
#define SURPRISE 3
#define SURPRISE_AT_CHANGE 1

/* Bouts take one part in PARTS of the thread's CPU time. */
#define PARTS 100

/* CPU time by which bouts that cannot wait may exceed their 1 %. */
#define CREDIT_NS INT64_C(400000000)

/* A thread that sleeps this many times as often, or as seldom, as it did lately has begun other work. */
#define OTHER_RUN 8

/* The part of a sample's cost that a switch costs: some 4 of 20 us in a guest of KVM. This assumes more, so that the
 * cost of bouts is not underestimated. */
#define SWITCH_PARTS 3

#define OPENING_NS 20000

/* The cost of a sample is measured by the same work with and without samples. */
#define PROBE_PERIOD_NS INT64_C(50000)
#define PROBE_TRIES 2
#define PROBE_CALLS 150
#define PROBE_LIMIT 64
/* Twice the rate that a bout needs at most, because the kernel throttles events that come near its limit. */
#define RATE_NEEDED (2 * 1000000 / (PERIOD_US * 3 / 4))

#define SAMPLE_NS_LEAST 1000
#define SAMPLE_NS_MOST 100000

/* A bout in progress. */
struct bout {
    struct tclk_sample_page *page;
    struct tclk_tally tally;
    uint64_t at;       /* records counted so far, in bytes */
    int64_t begin_ns;  /* CPU time */
    uint16_t switches; /* the thread's switches at its begin, modulo 2^16 */
    uint16_t written;  /* records */
    int64_t raw_ns;    /* CLOCK_MONOTONIC_RAW at its begin, and of its last record */
    int64_t last_ns;
    bool is_new;   /* the thread's rhythm has changed just before */
    bool is_early; /* its samples are in use before its end */
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
        int error = tclk_sample_page_map(&page, PROBE_PERIOD_NS, PROBE_LIMIT, &step);
        if (error != 0) {
            return tclk_proof_perf_refusal(step, error);
        }
        sampled_ns = least(sampled_ns, work_ns());
        samples += tclk_sample_page_head(page);
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

/* ---- the place of a bout ---- */

static struct bout *bout_of(const struct tclk_division *division)
{
    return &places[division->bouts.place - 1];
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

static uint16_t period_us_for(const struct tclk_record *record)
{
    int64_t told_ns = told_cpu_ns(record);
    int64_t gap_ns = most(told_ns - tclk_moment_cpu_ns(record->anchor.moment),
                          cpu_now_ns() + tclk_record_origin(record).cpu_ns - told_ns);
    int64_t most_us = record->division.bouts.has_changed ? PERIOD_US : PERIOD_MOST_US;
    int64_t us = least(most(gap_ns / SAMPLES / 1000, PERIOD_US), most_us);
    uint64_t turn = __atomic_fetch_add(&bouts, 1, __ATOMIC_RELAXED) * 40503 % 65536; /* spreads them evenly */
    return (uint16_t)(us * 3 / 4 + us * (int64_t)turn / 131072);
}

/* The thread is divided by its ticks from now on. */
static void refuse(struct tclk_division *division)
{
    tclk_division_tell_ticks(division);
    __atomic_store_n(&division->is_refused, true, __ATOMIC_RELAXED);
}

static void begin(struct tclk_record *record, uint8_t place)
{
    struct tclk_division *division = &record->division;
    struct bout *bout = &places[place - 1];
    enum tclk_perf_step step;
    int64_t period_ns = period_us_for(record) * INT64_C(1000);
    division->bouts.switches = (uint16_t)switches_now();
    *bout = (struct bout){.switches = division->bouts.switches, .is_new = division->bouts.has_changed};
    int error = tclk_sample_page_map(&bout->page, period_ns, SAMPLES_LIMIT, &step);
    if (error != 0) {
        give_place(place);
        tclk_sampler_count_refusal(tclk_proof_perf_refusal(step, error));
        refuse(division);
        return;
    }
    bout->begin_ns = cpu_now_ns();
    bout->raw_ns = (int64_t)tclk_raw_clock_ns();
    tclk_tally_begin(&bout->tally, period_ns, bout->begin_ns, bout->raw_ns);
    division->bouts.place = place;
    division->bouts.has_changed = false;
}

/* The event of a bout that has reached its limit ended at its last record, and has cost nothing since then. */
static int64_t until_end(const struct bout *bout, int64_t count)
{
    int64_t passed_us = ((int64_t)tclk_raw_clock_ns() - bout->raw_ns) / 1000 + 1;
    int64_t last_us = (bout->last_ns - bout->raw_ns) / 1000 + 1;
    return bout->written >= SAMPLES_LIMIT ? count * least(last_us, passed_us) / passed_us : count;
}

static int64_t cost_ns(const struct bout *bout, int64_t passed_ns, uint16_t switches)
{
    int64_t samples = most(until_end(bout, passed_ns / bout->tally.period_ns), bout->written) + 1;
    return OPENING_NS + samples * sample_cost_ns + until_end(bout, switches) * sample_cost_ns / SWITCH_PARTS;
}

/* Whether the thread has not been switched out since its anchor was set. Without a detector, all time is calm. */
static bool is_calm(const struct tclk_record *record)
{
    return record->anchor.window == 0 || tclk_anchor_is_marked(&record->anchor);
}

static void count(const struct tclk_record *record, struct bout *bout, int64_t now_ns)
{
    struct tclk_sample sample;
    int64_t raw_ns = (int64_t)tclk_raw_clock_ns();
    int64_t told_ns = told_cpu_ns(record) - tclk_record_origin(record).cpu_ns;
    int64_t calm_ns = is_calm(record) ? now_ns : least(most(told_ns, bout->tally.cpu_ns), now_ns);
    while (tclk_sample_page_next(bout->page, &bout->at, &sample)) {
        tclk_tally_record(&bout->tally, calm_ns, sample.raw_ns, sample.is_user);
        bout->last_ns = sample.raw_ns;
        bout->written++;
    }
    if (bout->written < SAMPLES_LIMIT) { /* else nobody knows how many were due */
        tclk_tally_stretch(&bout->tally, calm_ns, now_ns, raw_ns);
    }
}

static uint16_t switches_in(const struct tclk_division *division, const struct bout *bout)
{
    return (uint16_t)(division->bouts.switches - bout->switches);
}

static void tell(struct tclk_division *division, struct tclk_counts counts)
{
    struct tclk_counts known = division->bouts.counts;
    counts.calm = counts.calm.due > 0 ? counts.calm : known.calm;
    division->bouts.counts = counts;
    tclk_division_tell(division, tclk_counts_pace(&counts).mean);
}

/* A surprise is believed if the thread's rhythm has changed, or if the next bout, which follows at once, shows it as
 * well. On a host that withholds the CPU, a single bout may be completely wrong. */
static void learn(struct tclk_division *division, bool is_new, struct tclk_counts seen)
{
    struct tclk_division_bouts *known = &division->bouts;
    bool is_known = division->told != 0;
    bool differs = is_known && tclk_counts_differ(&known->counts, &seen, is_new ? SURPRISE_AT_CHANGE : SURPRISE);
    if (!differs || is_new || known->is_repeated) {
        tell(division, is_known && !differs ? tclk_counts_add(known->counts, seen) : seen);
    }
    known->is_repeated = differs && !is_new && !known->is_repeated;
    known->was_vain = is_new && !differs;
}

/* The rest begins at the bout's begin, or at the end of the rest after earlier bouts. */
static void rest(struct tclk_division *division, int64_t begin_ns, int64_t spent_ns)
{
    division->rests_until_ns = most(division->rests_until_ns, begin_ns) + PARTS * spent_ns;
}

/* Whether samples are used before their bout ends: they are all that is known, or a surprise after a change. */
static bool is_early(const struct tclk_division *division, const struct bout *bout, const struct tclk_counts *seen)
{
    return bout->is_early || division->told == 0 ||
           (bout->is_new && tclk_counts_differ(&division->bouts.counts, seen, SURPRISE_AT_CHANGE));
}

/* Clears the place first, so that a handler that comes now finds no bout, and leaves the rest alone
 * (tclk_division.busy). */
static void end(struct tclk_record *record, int64_t passed_ns)
{
    struct tclk_division *division = &record->division;
    struct bout *bout = bout_of(division);
    uint8_t place = division->bouts.place;
    uint16_t switches = switches_in(division, bout);
    struct tclk_counts seen = tclk_tally_counts(&bout->tally, switches);
    division->bouts.place = 0;
    tclk_sample_page_unmap(bout->page);
    rest(division, told_cpu_ns(record) - most(passed_ns, 0), cost_ns(bout, most(passed_ns, 0), switches));
    if (tclk_counts_due(&seen) > 0 && is_early(division, bout, &seen)) {
        tell(division, seen);
        division->bouts.was_vain = false;
    } else if (tclk_counts_due(&seen) >= SAMPLES / 2) {
        learn(division, bout->is_new, seen);
    } else {
        division->bouts.is_repeated |= bout->is_new;
    }
    give_place(place);
}

static void tell_early(struct tclk_division *division, struct bout *bout)
{
    struct tclk_counts seen = tclk_tally_counts(&bout->tally, switches_in(division, bout));
    if (tclk_counts_due(&seen) > 0 && is_early(division, bout, &seen)) {
        bout->is_early = true;
        tell(division, seen);
    }
}

static void go_on(struct tclk_record *record, bool wanted)
{
    struct bout *bout = bout_of(&record->division);
    int64_t now_ns = cpu_now_ns();
    int64_t passed_ns = now_ns - bout->begin_ns; /* a restored thread has less CPU time */
    if (wanted && passed_ns >= 0) {
        count(record, bout, now_ns);
    }
    if (record->division.bouts.has_changed) {
        record->division.bouts.has_changed = false;
        tclk_tally_forget(&bout->tally);
        bout->is_new = true;
    }
    if (!wanted || passed_ns < 0 || bout->written >= SAMPLES_LIMIT || tclk_counts_due(&bout->tally.counts) >= SAMPLES) {
        end(record, passed_ns);
    } else {
        tell_early(&record->division, bout);
    }
}

static void begin_if_possible(struct tclk_record *record)
{
    enum tclk_refusal why = refusal();
    uint8_t place = why == TCLK_ACCEPTED ? take_place() : 0;
    if (place != 0) {
        begin(record, place);
    } else if (why != TCLK_ACCEPTED && why != TCLK_NOT_TRIED) {
        refuse(&record->division);
    }
}

static bool is_wanted(const struct tclk_record *record)
{
    return tclk_settings.split != TCLK_SPLIT_KERNEL && !tclk_jdk_way_is_used() && tclk_sampler_of(record) == NULL;
}

static uint32_t cpu_us(const struct tclk_record *record)
{
    return (uint32_t)(told_cpu_ns(record) / 1000);
}

static uint32_t tick_us(void)
{
    return (uint32_t)(tclk_settings.tick_ns / 1000);
}

/* Whether the thread has its first bout: it is old enough, and sleeps so often that ticks may miss it. */
static bool is_due(const struct tclk_record *record)
{
    const struct tclk_division_bouts *known = &record->division.bouts;
    int64_t cpu_ns = told_cpu_ns(record) - tclk_record_origin(record).cpu_ns;
    return cpu_ns >= AGE_TICKS * tclk_settings.tick_ns && known->run_us > 0 && known->run_us < RUN_TICKS * tick_us() &&
           cpu_us(record) - known->slept_us < RUN_TICKS / 2 * tick_us();
}

/* Chance has no part in shares of 0 and 1 (clock/divide/tally.h). */
static bool is_vague(const struct tclk_counts *counts)
{
    bool is_pure = counts->calm.due > 0 && (counts->calm.users == 0 || counts->calm.users == counts->calm.due);
    return !is_pure && tclk_counts_due(counts) > 0 && tclk_counts_due(counts) < DUE_WANTED;
}

static bool is_resting(const struct tclk_record *record)
{
    const struct tclk_division_bouts *known = &record->division.bouts;
    bool is_urgent = known->is_repeated || known->has_changed || is_vague(&known->counts);
    return told_cpu_ns(record) < record->division.rests_until_ns - (is_urgent ? CREDIT_NS : 0);
}

/* ---- sleeps ---- */

static uint16_t run_us(const struct tclk_division_bouts *known, uint32_t now_us, uint16_t sleeps)
{
    return (uint16_t)least((now_us - known->slept_us) / (uint16_t)(sleeps - known->sleeps), UINT16_MAX);
}

/* Another rhythm of sleeps shows other work before samples can. */
static void note_sleep(struct tclk_division_bouts *known, uint32_t now_us, uint16_t sleeps)
{
    uint16_t run = run_us(known, now_us, sleeps);
    bool is_other = run > OTHER_RUN * known->run_us || run * OTHER_RUN < known->run_us;
    known->has_changed |= is_other && !known->was_vain;
    known->run_us = (uint16_t)(is_other ? run : (3 * known->run_us + run) / 4);
    known->sleeps = sleeps;
    known->slept_us = now_us;
}

/* Finds out how often the thread has been switched out since it read last. */
static void note_switches(struct tclk_record *record)
{
    struct tclk_division_bouts *known = &record->division.bouts;
    struct tclk_usage usage;
    if (is_calm(record) || tclk_usage_read(&usage) != 0) {
        return;
    }
    uint16_t switches = (uint16_t)tclk_usage_switches(&usage);
    known->passed = (uint16_t)(known->passed + switches - known->switches);
    known->switches = switches;
    if ((uint16_t)usage.voluntary_switches != known->sleeps) {
        note_sleep(known, cpu_us(record), (uint16_t)usage.voluntary_switches);
    }
}

static struct tclk_counts ticks_since(const struct tclk_division_bouts *known, uint32_t now_us, uint16_t user_ticks)
{
    int64_t due = least((now_us - known->ticked_us) / tick_us(), UINT16_MAX);
    int64_t users = least((uint16_t)(user_ticks - known->user_ticks), due);
    return (struct tclk_counts){.calm = {(uint16_t)due, (uint16_t)users}};
}

/* Counts the ticks of a thread that has not slept for a while. Without a detector, only this notices sleeps. */
static void count_ticks(struct tclk_division *division, uint32_t now_us)
{
    struct tclk_division_bouts *known = &division->bouts;
    bool has_begun = (int32_t)(known->ticked_us - known->slept_us) > 0;
    struct tclk_usage usage;
    int64_t user_ns;
    if (now_us - (has_begun ? known->ticked_us : known->slept_us) < TICKS_AT_A_TIME * tick_us() ||
        tclk_usage_read(&usage) != 0 || tclk_clock_read_own(TCLK_CLOCK_VIRT, &user_ns) != 0) {
        return;
    }
    uint16_t user_ticks = (uint16_t)(user_ns / tclk_settings.tick_ns);
    if ((uint16_t)usage.voluntary_switches != known->sleeps) {
        note_sleep(known, now_us, (uint16_t)usage.voluntary_switches);
    } else if (has_begun) {
        learn(division, false, ticks_since(known, now_us, user_ticks));
    }
    known->ticked_us = now_us;
    known->user_ticks = user_ticks;
}

static void follow(struct tclk_record *record)
{
    struct tclk_division *division = &record->division;
    bool wanted = is_wanted(record);
    if (wanted) {
        note_switches(record);
    }
    if (division->bouts.place != 0) {
        go_on(record, wanted);
    } else if (wanted && (division->told != 0 || is_due(record)) && !is_resting(record)) {
        begin_if_possible(record);
    } else if (wanted && division->told != 0) {
        count_ticks(division, cpu_us(record));
    }
}

void tclk_bout_follow(struct tclk_record *record)
{
    struct tclk_division *division = &record->division;
    if (division->busy || division->is_refused || tclk_record_is_written(record)) {
        return;
    }
    division->busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    follow(record);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    division->busy = false;
}

void tclk_bout_detach(struct tclk_record *record)
{
    struct tclk_division *division = &record->division;
    if (division->bouts.place != 0) {
        uint8_t place = division->bouts.place;
        division->bouts.place = 0;
        tclk_sample_page_unmap(places[place - 1].page);
        give_place(place);
    }
    tclk_division_tell_ticks(division);
}

void tclk_bout_after_fork(void)
{
    places_taken = 0;
}
