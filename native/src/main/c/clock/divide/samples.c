/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/divide/samples.h"

#include "clock/divide/tally.h"
#include "clock/jdk_ways.h"
#include "clock/proof.h"
#include "clock/settings.h"
#include "kernel/clockid.h"
#include "kernel/filter.h"
#include "kernel/raw_clock.h"
#include "kernel/sample_page.h"
#include "kernel/slab.h"
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
#define RUN_TICKS 2
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

/* No bout begins while so many are running, for whose pages there is locked memory. */
#define BOUTS_MAX 16

/* If the kernel tells user time of this many periods, and no sample comes, somebody has disabled the event
 * (prctl(PR_TASK_PERF_EVENTS_DISABLE)). By chance, a thread that is in user mode for one in a hundred of its periods
 * gets no sample in 1000 of them less than once in 10 000 times. */
#define SILENT_PERIODS INT64_C(1100)

/* The samples and the curve may differ by no more than this, or than some periods, because the timer's clock and the
 * thread's CPU time need not agree to the ppm. */
#define GAP_MAX_NS INT64_C(10000000)
#define GAP_MAX_PERIODS 4

/* The CPU time after which a reading looks at the samples of a bout that ends. */
#define SLICE_NS INT64_C(100000)

/* In `sampled`, the share is that of about this many periods; all older ones together weigh no more than these. */
#define FOLLOWED_PERIODS INT64_C(12)

/* A bout in progress, or one that lasts as long as its thread. */
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

    /* One that lasts, whose tally holds the CPU time of the last count. */
    bool is_fresh;    /* the samples have not been read yet */
    int64_t user_ns;  /* user time by the samples */
    int64_t heard_ns; /* the kernel's user time when the last sample came */
};

/* Not wiped on fork, because the records, which alone say whose they are, are wiped. */
static struct tclk_slab pool = {.slot_bytes = 192};

_Static_assert(sizeof(struct bout) <= 192, "a slot each");

static uint32_t running; /* bouts that end */
static uint32_t begun;

_Static_assert(PERIOD_US * 1000 * 3 / 4 == TCLK_BOUT_PERIOD_LEAST_NS, "the shortest period");

static int64_t cpu_now_ns(void)
{
    int64_t ns = 0;
    tclk_clock_read_own(TCLK_CLOCK_SCHED, &ns);
    return ns;
}

static int64_t least(int64_t a_ns, int64_t b_ns)
{
    return a_ns < b_ns ? a_ns : b_ns;
}

static int64_t most(int64_t a_ns, int64_t b_ns)
{
    return a_ns > b_ns ? a_ns : b_ns;
}

/* ---- a thread's event ---- */

/* There is one. */
static struct bout *bout_in(const struct tclk_division *division)
{
    return tclk_slab_at(&pool, division->place - 1);
}

static struct bout *bout_of(const struct tclk_division *division)
{
    return division->place == 0 ? NULL : bout_in(division);
}

static void set_share(struct tclk_division *division, uint32_t share)
{
    __atomic_store_n(&division->share_plus_1, share + 1, __ATOMIC_RELAXED);
}

static void clear_share(struct tclk_division *division)
{
    __atomic_store_n(&division->share_plus_1, 0, __ATOMIC_RELAXED);
}

/* The thread is divided by its ticks from now on. */
static void refuse(struct tclk_division *division)
{
    clear_share(division);
    __atomic_store_n(&division->is_refused, true, __ATOMIC_RELAXED);
}

static void refuse_for(struct tclk_division *division, struct tclk_verdict reason)
{
    tclk_proof_refuse_thread(reason);
    refuse(division);
}

/* Returns NULL if there is no event now, or if the thread is refused one. */
static struct bout *open_event(struct tclk_division *division, int64_t period_ns, int limit)
{
    enum tclk_perf_step step;
    bool is_full = limit != 0 && __atomic_load_n(&running, __ATOMIC_RELAXED) >= BOUTS_MAX;
    struct bout *bout = is_full ? NULL : tclk_slab_take(&pool);
    if (bout == NULL) {
        return NULL;
    }
    *bout = (struct bout){.is_fresh = true};
    int error = tclk_sample_page_map(&bout->page, period_ns, limit, &step);
    if (error != 0) {
        tclk_slab_give(&pool, bout);
        refuse_for(division, tclk_proof_perf_refusal(step, error));
        return NULL;
    }
    __atomic_fetch_add(&running, limit != 0, __ATOMIC_RELAXED);
    bout->begin_ns = cpu_now_ns();
    bout->raw_ns = (int64_t)tclk_raw_clock_ns();
    tclk_tally_begin(&bout->tally, period_ns, bout->begin_ns, bout->raw_ns);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a handler finds a bout that is complete */
    division->place = tclk_slab_index(&pool, bout) + 1;
    return bout;
}

/* Clears the place first, so that a handler that comes now finds no event. */
static void close_event(struct tclk_division *division)
{
    struct bout *bout = bout_in(division);
    division->place = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tclk_sample_page_unmap(bout->page);
    tclk_slab_give(&pool, bout);
    __atomic_fetch_sub(&running, !division->lasts, __ATOMIC_RELAXED);
}

/* ---- a bout ---- */

static uint32_t switches_now(void)
{
    struct tclk_usage usage = {.user_ns = 0};
    tclk_usage_read(&usage);
    return (uint32_t)tclk_usage_switches(&usage);
}

/* Multiples of the golden ratio, modulo 1, are spread evenly, however many there are. */
#define GOLDEN_RATIO_OF_65536 40503

static uint16_t period_us_for(const struct tclk_reading *last, int64_t most_us)
{
    int64_t gap_ns = most(last->cpu_ns - last->anchor_ns, cpu_now_ns() + last->origin_ns - last->cpu_ns);
    int64_t us = least(most(gap_ns / SAMPLES / 1000, PERIOD_US), most_us);
    uint16_t turn = (uint16_t)(__atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED) * GOLDEN_RATIO_OF_65536);
    return (uint16_t)(us * 3 / 4 + us * turn / 131072);
}

static void begin(struct tclk_division *division, const struct tclk_reading *last)
{
    division->bouts.switches = (uint16_t)switches_now();
    int64_t period_us = period_us_for(last, division->bouts.has_changed ? PERIOD_US : PERIOD_MOST_US);
    struct bout *bout = open_event(division, period_us * 1000, SAMPLES_LIMIT);
    if (bout != NULL) {
        bout->switches = division->bouts.switches;
        bout->is_new = division->bouts.has_changed;
        division->bouts.has_changed = false;
    }
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
    int64_t sample_ns = tclk_proof_verdict(TCLK_SUBJECT_SAMPLES).a;
    int64_t samples = most(until_end(bout, passed_ns / bout->tally.period_ns), bout->written) + 1;
    return OPENING_NS + samples * sample_ns + until_end(bout, switches) * sample_ns / SWITCH_PARTS;
}

static void count(struct bout *bout, const struct tclk_reading *last, int64_t now_ns)
{
    struct tclk_sample sample;
    int64_t raw_ns = (int64_t)tclk_raw_clock_ns();
    int64_t last_ns = last->cpu_ns - last->origin_ns;
    int64_t calm_ns = last->is_calm ? now_ns : least(most(last_ns, bout->tally.cpu_ns), now_ns);
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

/* A bout without samples of calm time says nothing of it. */
static void use(struct tclk_division *division, struct tclk_counts counts)
{
    counts.calm = counts.calm.due > 0 ? counts.calm : division->bouts.counts.calm;
    division->bouts.counts = counts;
    set_share(division, tclk_counts_pace(&counts).mean);
}

/* A surprise is believed if the thread's rhythm has changed, or if the next bout, which follows at once, shows it as
 * well. On a host that withholds the CPU, a single bout may be completely wrong. */
static void learn(struct tclk_division *division, bool is_new, struct tclk_counts seen)
{
    struct tclk_division_bouts *known = &division->bouts;
    bool is_known = division->share_plus_1 != 0;
    bool differs = is_known && tclk_counts_differ(&known->counts, &seen, is_new ? SURPRISE_AT_CHANGE : SURPRISE);
    if (!differs || is_new || known->is_repeated) {
        use(division, is_known && !differs ? tclk_counts_add(known->counts, seen) : seen);
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
    return bout->is_early || division->share_plus_1 == 0 ||
           (bout->is_new && tclk_counts_differ(&division->bouts.counts, seen, SURPRISE_AT_CHANGE));
}

static void end(struct tclk_division *division, const struct tclk_reading *last, int64_t passed_ns)
{
    const struct bout *bout = bout_in(division);
    uint16_t switches = switches_in(division, bout);
    struct tclk_counts seen = tclk_tally_counts(&bout->tally, switches);
    rest(division, last->cpu_ns - most(passed_ns, 0), cost_ns(bout, most(passed_ns, 0), switches));
    if (tclk_counts_due(&seen) > 0 && is_early(division, bout, &seen)) {
        use(division, seen);
        division->bouts.was_vain = false;
    } else if (tclk_counts_due(&seen) >= SAMPLES / 2) {
        learn(division, bout->is_new, seen);
    } else {
        division->bouts.is_repeated |= bout->is_new;
    }
    close_event(division);
}

static void use_early(struct tclk_division *division, struct bout *bout)
{
    struct tclk_counts seen = tclk_tally_counts(&bout->tally, switches_in(division, bout));
    if (tclk_counts_due(&seen) > 0 && is_early(division, bout, &seen)) {
        bout->is_early = true;
        use(division, seen);
    }
}

static void go_on(struct tclk_division *division, const struct tclk_reading *last, bool wanted)
{
    struct bout *bout = bout_in(division);
    int64_t now_ns = cpu_now_ns();
    int64_t passed_ns = now_ns - bout->begin_ns; /* a restored thread has less CPU time */
    if (wanted && passed_ns >= 0) {
        count(bout, last, now_ns);
    }
    if (division->bouts.has_changed) {
        division->bouts.has_changed = false;
        tclk_tally_forget(&bout->tally);
        bout->is_new = true;
    }
    if (!wanted || passed_ns < 0 || bout->written >= SAMPLES_LIMIT || tclk_counts_due(&bout->tally.counts) >= SAMPLES) {
        end(division, last, passed_ns);
    } else {
        use_early(division, bout);
    }
}

/* Nothing can be proved while another thread proves something. */
static void begin_if_possible(struct tclk_division *division, const struct tclk_reading *last)
{
    if (tclk_proof_samples_verdict(TCLK_BOUT_PERIOD_LEAST_NS).refusal == TCLK_NOT_TRIED && tclk_proof_begin()) {
        tclk_proof_of_samples(TCLK_BOUT_PERIOD_LEAST_NS);
        tclk_proof_end();
    }
    enum tclk_refusal why = tclk_proof_samples_verdict(TCLK_BOUT_PERIOD_LEAST_NS).refusal;
    if (why == TCLK_ACCEPTED) {
        begin(division, last);
    } else if (why != TCLK_NOT_TRIED) {
        refuse(division);
    }
}

static uint32_t cpu_us(const struct tclk_reading *last)
{
    return (uint32_t)(last->cpu_ns / 1000);
}

static uint32_t tick_us(void)
{
    return (uint32_t)(tclk_settings.tick_ns / 1000);
}

/* Whether the thread has its first bout: it is old enough, and sleeps so often that ticks may miss it. */
static bool is_due(const struct tclk_division *division, const struct tclk_reading *last)
{
    const struct tclk_division_bouts *known = &division->bouts;
    int64_t cpu_ns = last->cpu_ns - last->origin_ns;
    return cpu_ns >= AGE_TICKS * tclk_settings.tick_ns && known->run_us > 0 && known->run_us < RUN_TICKS * tick_us() &&
           cpu_us(last) - known->slept_us < RUN_TICKS * tick_us();
}

/* Chance has no part in shares of 0 and 1 (clock/divide/tally.h). */
static bool is_vague(const struct tclk_counts *counts)
{
    bool is_pure = counts->calm.due > 0 && (counts->calm.users == 0 || counts->calm.users == counts->calm.due);
    return !is_pure && tclk_counts_due(counts) > 0 && tclk_counts_due(counts) < DUE_WANTED;
}

static bool is_resting(const struct tclk_division *division, const struct tclk_reading *last)
{
    const struct tclk_division_bouts *known = &division->bouts;
    bool is_urgent = known->is_repeated || known->has_changed || is_vague(&known->counts);
    return last->cpu_ns < division->rests_until_ns - (is_urgent ? CREDIT_NS : 0);
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
static void note_switches(struct tclk_division_bouts *known, const struct tclk_reading *last)
{
    struct tclk_usage usage;
    if (last->is_calm || tclk_usage_read(&usage) != 0) {
        return;
    }
    uint16_t switches = (uint16_t)tclk_usage_switches(&usage);
    known->passed = (uint16_t)(known->passed + switches - known->switches);
    known->switches = switches;
    if ((uint16_t)usage.voluntary_switches != known->sleeps) {
        note_sleep(known, cpu_us(last), (uint16_t)usage.voluntary_switches);
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

/* ---- a bout that lasts ---- */

/* Whether threads have bouts that last. */
static bool lasts_here(void)
{
    return tclk_settings.split == TCLK_SPLIT_SAMPLED && !tclk_jdk_way_is_used() &&
           tclk_proof_samples_verdict(tclk_sample_period_ns(tclk_settings.sample_period_ns)).refusal == TCLK_ACCEPTED;
}

/* Even if shorter bouts were refused. */
static void begin_lasting(struct tclk_division *division)
{
    __atomic_store_n(&division->lasts, true, __ATOMIC_RELAXED);
    __atomic_store_n(&division->is_refused, false, __ATOMIC_RELAXED);
    open_event(division, tclk_sample_period_ns(tclk_settings.sample_period_ns), 0);
}

/* The thread's bout that lasts; NULL if it has none, or no samples come. */
static struct bout *lasting_of(const struct tclk_division *division)
{
    return division->lasts && !division->is_refused ? bout_of(division) : NULL;
}

/* The new share after this much more user and CPU time. `share` is of the last `over_ns`, and older times weigh no more
 * than `over_ns`. */
static uint32_t share_followed(uint32_t share, int64_t user_ns, int64_t cpu_ns, int64_t over_ns)
{
    if (cpu_ns <= 0) {
        return share;
    }
    int64_t now_ns = least(tclk_share_of(over_ns, share) + user_ns, over_ns + cpu_ns);
    return tclk_share_between(now_ns, over_ns + cpu_ns - now_ns, share);
}

int64_t tclk_samples_slice_ns(const struct tclk_division *division)
{
    const struct bout *bout = bout_of(division);
    return bout == NULL ? 0 : division->lasts ? TCLK_SAMPLE_SLICE_PERIODS * bout->tally.period_ns : SLICE_NS;
}

bool tclk_samples_look(const struct tclk_division *division, int64_t cpu_ns, struct tclk_sampled *look)
{
    const struct bout *bout = lasting_of(division);
    if (bout == NULL) {
        return false;
    }
    /* loaded first, because a handler may count more in between */
    uint64_t counted = bout->at;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    look->head = tclk_sample_page_head(bout->page);
    look->period_ns = bout->tally.period_ns;
    if (bout->is_fresh) {
        return false;
    }
    int64_t user_ns = (int64_t)tclk_sample_page_count(bout->page, counted, look->head) * look->period_ns;
    look->user_ns = bout->user_ns + user_ns;
    look->share = share_followed(division->share_plus_1 - 1, user_ns, cpu_ns - bout->tally.cpu_ns,
                                 FOLLOWED_PERIODS * look->period_ns);
    return true;
}

static int64_t near(int64_t ns, int64_t to_ns, int64_t period_ns)
{
    int64_t most_ns = most(GAP_MAX_PERIODS * period_ns, GAP_MAX_NS);
    return least(most(ns, to_ns - most_ns), to_ns + most_ns);
}

/* A sample is counted when it comes; on average, half a period has passed since the last one. */
static int64_t first_user_ns(const struct tclk_line *line, int64_t period_ns)
{
    return line->start.user_ns + tclk_share_of(period_ns / 2, line->rate);
}

/* If the kernel tells user time and no samples come, they never will. */
static void watch(struct tclk_division *division, struct bout *bout, const struct tclk_usage *usage)
{
    if (bout->heard_ns == 0 || usage->user_ns < bout->heard_ns) { /* restored: clock/origin.h */
        bout->heard_ns = usage->user_ns;
    } else if (usage->user_ns - bout->heard_ns > SILENT_PERIODS * bout->tally.period_ns) {
        refuse_for(division, (struct tclk_verdict){.refusal = TCLK_REFUSED_NO_SAMPLES});
    }
}

void tclk_samples_note(struct tclk_division *division, const struct tclk_sampled *look, const struct tclk_usage *usage,
                       const struct tclk_line *line)
{
    struct bout *bout = lasting_of(division);
    if (bout == NULL || look->period_ns == 0) {
        return;
    }
    if (bout->is_fresh || look->head != bout->at) {
        bout->heard_ns = 0; /* set again at the next look at the kernel's split */
    }
    bout->user_ns = bout->is_fresh ? first_user_ns(line, look->period_ns)
                                   : near(look->user_ns, line->start.user_ns, look->period_ns);
    set_share(division, bout->is_fresh ? line->rate : look->share);
    bout->at = look->head;
    bout->tally.cpu_ns = line->start.cpu_ns;
    bout->is_fresh = false;
    if (usage != NULL) {
        watch(division, bout, usage);
    }
}

struct tclk_perf_page *tclk_samples_page(const struct tclk_division *division)
{
    const struct bout *bout = lasting_of(division);
    bool detects = bout != NULL && tclk_proof_verdict(TCLK_SUBJECT_SAMPLE_PAGE).refusal == TCLK_ACCEPTED;
    return detects ? tclk_sample_page_lock(bout->page) : NULL;
}

/* ---- both ---- */

static void follow(struct tclk_division *division, const struct tclk_reading *last, bool lasts)
{
    bool wanted = !tclk_jdk_way_is_used() && !lasts;
    if (wanted) {
        note_switches(&division->bouts, last);
    }
    if (division->place != 0) {
        go_on(division, last, wanted);
    } else if (lasts) {
        begin_lasting(division);
    } else if (wanted && (division->share_plus_1 != 0 || is_due(division, last)) && !is_resting(division, last)) {
        begin_if_possible(division, last);
    } else if (wanted && division->share_plus_1 != 0) {
        count_ticks(division, cpu_us(last));
    }
}

void tclk_samples_follow(struct tclk_division *division, const struct tclk_reading *last)
{
    bool lasts = lasts_here();
    if (division->busy || division->lasts || tclk_filter_forbids() || (division->is_refused && !lasts)) {
        return;
    }
    division->busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    follow(division, last, lasts);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    division->busy = false;
}

void tclk_samples_end(struct tclk_division *division)
{
    if (division->place != 0) {
        close_event(division);
    }
    clear_share(division);
}

void tclk_samples_after_fork(void)
{
    tclk_slab_reset(&pool);
    running = 0;
}
