/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/divide/sampler.h"

#include "clock/divide/steer.h"
#include "clock/jdk_ways.h"
#include "clock/settings.h"
#include "kernel/clockid.h"
#include "kernel/slab.h"

/* If the kernel tells user time of this many periods, and no sample comes, somebody has disabled the event
 * (prctl(PR_TASK_PERF_EVENTS_DISABLE)). By chance, a thread that is in user mode for one in a hundred of its periods
 * gets no sample in 1000 of them less than once in 10 000 times. */
#define SILENT_PERIODS INT64_C(1100)

/* The samples and the curve may differ by no more than this, or than some periods, because the timer's clock and the
 * thread's CPU time need not agree to the ppm. */
#define GAP_MAX_NS INT64_C(10000000)
#define GAP_MAX_PERIODS 4

/* The share is that of about this many periods; all older ones together weigh no more than these. */
#define FOLLOWED_PERIODS INT64_C(12)

/* Values of record->division.sampler: a place in the pool + 1, or one of these. */
#define NO_SAMPLER 0u
#define REFUSED UINT32_MAX

/* Samplers are not wiped on fork, because the records, which alone say whose they are, are wiped. */
static struct tclk_slab samplers = {.slot_bytes = 64};

_Static_assert(sizeof(struct tclk_sampler) <= 64, "one cache line");

static uint64_t last_refusal; /* refusal << 32 | errno of the last single thread */
static uint32_t refused;

/* ---- refusals of single threads ---- */

uint32_t tclk_sampler_refused(struct tclk_verdict *last)
{
    uint64_t packed = __atomic_load_n(&last_refusal, __ATOMIC_RELAXED);
    *last = (struct tclk_verdict){.refusal = (enum tclk_refusal)(packed >> 32), .error = (int)(uint32_t)packed};
    return __atomic_load_n(&refused, __ATOMIC_RELAXED);
}

/* ---- a thread's event ---- */

static struct tclk_sampler *at(uint32_t place)
{
    return place == NO_SAMPLER || place == REFUSED ? NULL : tclk_slab_at(&samplers, place - 1);
}

static struct tclk_sampler *sampler_at(const struct tclk_record *record)
{
    return at(tclk_place_load(&record->division.sampler));
}

struct tclk_sampler *tclk_sampler_of(const struct tclk_record *record)
{
    struct tclk_sampler *sampler = sampler_at(record);
    return sampler != NULL && sampler->page != NULL && !sampler->gave_up ? sampler : NULL;
}

static bool is_wanted(void)
{
    return tclk_settings.split == TCLK_SPLIT_SAMPLED && tclk_proof_samples() && !tclk_jdk_way_is_used();
}

void tclk_sampler_count_refusal(struct tclk_verdict of)
{
    __atomic_store_n(&last_refusal, (uint64_t)of.refusal << 32 | (uint32_t)of.error, __ATOMIC_RELAXED);
    __atomic_fetch_add(&refused, 1u, __ATOMIC_RELAXED);
}

/* Marks the record as refused first, so that a handler that interrupts this goes on without an event. Does nothing if a
 * handler that came just before has opened one. */
static void open_event(struct tclk_record *record)
{
    struct tclk_sample_page *page;
    enum tclk_perf_step step;
    if (!tclk_place_exchange(&record->division.sampler, NO_SAMPLER, REFUSED)) {
        return;
    }
    struct tclk_sampler *sampler = tclk_slab_take(&samplers);
    if (sampler == NULL) {
        return;
    }
    uint32_t period_ns = (uint32_t)tclk_sample_period_ns(tclk_settings.sample_period_ns);
    int error = tclk_sample_page_map(&page, period_ns, 0, &step);
    if (error != 0) {
        tclk_sampler_count_refusal(tclk_proof_perf_refusal(step, error));
        tclk_slab_give(&samplers, sampler);
        return;
    }
    *sampler =
        (struct tclk_sampler){.page = page, .period_ns = period_ns, .fresh = true, .told = TCLK_SAMPLER_TELLS_NOTHING};
    tclk_place_set(&record->division.sampler, tclk_slab_index(&samplers, sampler) + 1);
}

/* Other threads read the share at any time. */
static void tell(struct tclk_sampler *sampler, uint32_t share)
{
    __atomic_store_n(&sampler->told, share, __ATOMIC_RELAXED);
}

void tclk_sampler_ensure(struct tclk_record *record)
{
    if (record->division.sampler == NO_SAMPLER && is_wanted()) {
        open_event(record);
    }
}

struct tclk_perf_page *tclk_sampler_detector(const struct tclk_record *record)
{
    const struct tclk_sampler *sampler = tclk_sampler_of(record);
    return sampler != NULL && tclk_proof_samples_detect() ? tclk_sample_page_lock(sampler->page) : NULL;
}

void tclk_sampler_detach(struct tclk_record *record)
{
    struct tclk_sampler *sampler = sampler_at(record);
    tclk_place_set(&record->division.sampler, NO_SAMPLER);
    if (sampler != NULL) {
        struct tclk_sample_page *page = sampler->page;
        sampler->page = NULL;
        tclk_sample_page_unmap(page);
        tclk_slab_give(&samplers, sampler);
    }
}

void tclk_sampler_after_fork(void)
{
    tclk_slab_reset(&samplers);
}

/* ---- what the samples say ---- */

struct tclk_sampled tclk_sampler_look(const struct tclk_record *record, int64_t cpu_ns)
{
    const struct tclk_sampler *sampler = tclk_sampler_of(record);
    if (sampler == NULL) {
        return (struct tclk_sampled){.taken = false};
    }
    /* loaded first, because a handler may count more in between */
    uint64_t counted = sampler->head;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint64_t head = tclk_sample_page_head(sampler->page);
    if (sampler->fresh) {
        return (struct tclk_sampled){.taken = true, .is_first = true, .head = head, .period_ns = sampler->period_ns};
    }
    int64_t user_ns = (int64_t)tclk_sample_page_count(sampler->page, counted, head) * sampler->period_ns;
    return (struct tclk_sampled){
        .taken = true,
        .head = head,
        .user_ns = sampler->user_ns + user_ns,
        .share = tclk_share_followed(sampler->share, user_ns, cpu_ns - sampler->cpu_ns,
                                     FOLLOWED_PERIODS * sampler->period_ns),
        .period_ns = sampler->period_ns,
    };
}

static int64_t near(int64_t ns, int64_t to_ns, int64_t period_ns)
{
    int64_t most_ns = GAP_MAX_PERIODS * period_ns > GAP_MAX_NS ? GAP_MAX_PERIODS * period_ns : GAP_MAX_NS;
    return ns < to_ns - most_ns ? to_ns - most_ns : ns > to_ns + most_ns ? to_ns + most_ns : ns;
}

/* A sample is counted when it comes; on average, half a period has passed since the last one. */
static int64_t first_user_ns(struct tclk_point start, uint32_t share, int64_t period_ns)
{
    return start.user_ns + tclk_share_of(period_ns / 2, share);
}

void tclk_sampler_note(struct tclk_record *record, const struct tclk_sampled *look, struct tclk_point start,
                       uint32_t share)
{
    struct tclk_sampler *sampler = tclk_sampler_of(record);
    if (sampler == NULL || !look->taken) {
        return;
    }
    sampler->user_ns = sampler->fresh ? first_user_ns(start, share, sampler->period_ns)
                                      : near(look->user_ns, start.user_ns, sampler->period_ns);
    sampler->share = sampler->fresh ? share : look->share;
    tell(sampler, sampler->share);
    if (sampler->fresh || look->head != sampler->head) {
        sampler->heard_ns = 0; /* set again at the next look at the kernel's split */
    }
    sampler->head = look->head;
    sampler->cpu_ns = start.cpu_ns;
    sampler->fresh = false;
}

void tclk_sampler_watch(struct tclk_record *record, const struct tclk_usage *usage)
{
    struct tclk_sampler *sampler = tclk_sampler_of(record);
    if (sampler == NULL) {
        return;
    }
    if (sampler->heard_ns == 0 || usage->user_ns < sampler->heard_ns) { /* restored: clock/origin.h */
        sampler->heard_ns = usage->user_ns;
    } else if (usage->user_ns - sampler->heard_ns > SILENT_PERIODS * sampler->period_ns) {
        sampler->gave_up = true;
        tell(sampler, TCLK_SAMPLER_TELLS_NOTHING);
        tclk_sampler_count_refusal((struct tclk_verdict){.refusal = TCLK_REFUSED_NO_SAMPLES});
    }
}

bool tclk_sampler_share(const struct tclk_record *record, uint32_t *share)
{
    const struct tclk_sampler *sampler = sampler_at(record);
    uint32_t told = sampler == NULL ? TCLK_SAMPLER_TELLS_NOTHING : __atomic_load_n(&sampler->told, __ATOMIC_RELAXED);
    if (told == TCLK_SAMPLER_TELLS_NOTHING) {
        return false;
    }
    *share = told;
    return true;
}
