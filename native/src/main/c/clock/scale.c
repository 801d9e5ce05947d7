/* SPDX-License-Identifier: Apache-2.0 */

#include "clock/counter.h"
#include "kernel/filter.h"
#include "kernel/raw_clock.h"
#include "kernel/signals.h"

/* A clock that takes more looks than this for the first baseline of a millisecond stands still: a look takes 0.1 us or
 * more. */
#define LOOKS_MAX 100000

/* Take the narrowest of this many brackets; an interrupt inside one makes it wide. */
#define LOOKS 5

/* Crystals stay within 100 ppm of their rate; 500 leaves room for the error of the first, short baseline. */
#define STRAY_PPM 500

/* The baseline after a stray result: long enough for 50 ppm, and soon over. */
#define FRESH_BASELINE_NS UINT64_C(1000000)

static struct {
    struct tclk_clock_pair first;
    uint64_t refine_at; /* the count at which the baseline has doubled */
    /* other threads read this, and the two ends of the baseline, while they change */
    uint64_t scale;
    /* the last scale that was rejected; 0 = none since the last one that was accepted */
    uint64_t strayed;
    uint32_t refining; /* set by the one thread that refines */
} calibration;

static struct tclk_clock_pair look_once(uint64_t *width)
{
    uint64_t before = tclk_counter_read();
    uint64_t raw_ns = tclk_raw_clock_ns();
    *width = tclk_counter_read() - before;
    return (struct tclk_clock_pair){.counter = before + *width / 2, .raw_ns = raw_ns};
}

static struct tclk_clock_pair look(void)
{
    uint64_t narrowest;
    struct tclk_clock_pair best = look_once(&narrowest);
    for (int i = 1; i < LOOKS; i++) {
        uint64_t width;
        struct tclk_clock_pair pair = look_once(&width);
        if (width < narrowest) {
            narrowest = width;
            best = pair;
        }
    }
    return best;
}

uint64_t tclk_scale_between(struct tclk_clock_pair from, struct tclk_clock_pair to)
{
    if (to.counter <= from.counter || to.raw_ns <= from.raw_ns) {
        return 0;
    }
    return (uint64_t)(((unsigned __int128)(to.raw_ns - from.raw_ns) << 32) / (to.counter - from.counter));
}

static void restart_from(struct tclk_clock_pair now, uint64_t baseline)
{
    __atomic_store_n(&calibration.first.counter, now.counter, __ATOMIC_RELAXED);
    calibration.first.raw_ns = now.raw_ns;
    __atomic_store_n(&calibration.refine_at, now.counter + baseline, __ATOMIC_RELAXED);
}

/* A longer baseline would be no more exact, and slow to notice that the rate has changed. */
#define BASELINE_MAX_NS UINT64_C(64000000000)

static void adopt(uint64_t scale, struct tclk_clock_pair now)
{
    __atomic_store_n(&calibration.scale, scale, __ATOMIC_RELEASE);
    uint64_t baseline = now.counter - calibration.first.counter;
    uint64_t baseline_max = tclk_scale_counts(BASELINE_MAX_NS, scale);
    if (baseline > baseline_max) {
        restart_from(now, baseline_max);
        return;
    }
    __atomic_store_n(&calibration.refine_at, now.counter + baseline, __ATOMIC_RELAXED);
}

bool tclk_calibration_start(uint64_t baseline_ns)
{
    struct tclk_clock_pair first = look();
    struct tclk_clock_pair now = first;
    for (int i = 0; now.raw_ns - first.raw_ns < baseline_ns; i++) {
        if (i == LOOKS_MAX) {
            return false;
        }
        now = look();
    }
    uint64_t scale = tclk_scale_between(first, now);
    if (scale == 0) {
        return false;
    }
    calibration.first = first;
    adopt(scale, now);
    return true;
}

uint64_t tclk_calibration_scale(void)
{
    return __atomic_load_n(&calibration.scale, __ATOMIC_ACQUIRE);
}

static bool strays(uint64_t scale, uint64_t from)
{
    uint64_t apart = scale > from ? scale - from : from - scale;
    return apart > from / 1000000 * STRAY_PPM;
}

/* True if the baseline is not long enough yet. A counter that is before the baseline's start has started again, as
 * that of a virtual machine may when it resumes on another host. It could take days until it reaches its old value,
 * so the baseline ends. */
static bool is_within_baseline(uint64_t counter)
{
    uint64_t start = __atomic_load_n(&calibration.first.counter, __ATOMIC_RELAXED);
    uint64_t end = __atomic_load_n(&calibration.refine_at, __ATOMIC_RELAXED);
    return counter - start < end - start;
}

static void refine_now(void)
{
    struct tclk_clock_pair now = look();
    if (is_within_baseline(now.counter)) { /* another thread has just refined */
        return;
    }
    uint64_t known = tclk_calibration_scale();
    uint64_t scale = tclk_scale_between(calibration.first, now);
    bool confirmed = !strays(scale, known) || !strays(scale, calibration.strayed);
    calibration.strayed = confirmed ? 0 : scale;
    if (scale != 0 && confirmed) {
        adopt(scale, now);
    } else {
        restart_from(now, tclk_scale_counts(FRESH_BASELINE_NS, known));
    }
}

bool tclk_calibration_refine(uint64_t counter)
{
    bool kept = true;
    if (tclk_calibration_scale() == 0 || is_within_baseline(counter) || tclk_filter_forbids()) {
        return kept;
    }
    /* Signals wait: a handler that jumps out would leave this begun for good. */
    struct tclk_signals signals = tclk_signals_hold();
    if (__atomic_exchange_n(&calibration.refining, 1u, __ATOMIC_ACQUIRE) == 0) {
        refine_now();
        kept = tclk_counter_is_kept();
        __atomic_store_n(&calibration.refining, 0u, __ATOMIC_RELEASE);
    }
    tclk_signals_release(signals);
    return kept;
}

void tclk_calibration_after_fork(void)
{
    __atomic_store_n(&calibration.refining, 0u, __ATOMIC_RELEASE);
}
