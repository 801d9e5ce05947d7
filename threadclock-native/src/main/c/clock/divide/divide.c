/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/divide/divide.h"

#include "clock/divide/bout.h"
#include "clock/divide/kernel_share.h"
#include "clock/divide/sampler.h"
#include "clock/divide/steer.h"
#include "clock/settings.h"
#include "kernel/filter.h"

#include <string.h>

void tclk_divide_begin(struct tclk_record *record)
{
    if (tclk_record_is_written(record) || tclk_filter_forbids()) {
        return;
    }
    tclk_bout_follow(record);
    tclk_sampler_ensure(record);
}

bool tclk_divide_follows_line(const struct tclk_record *record)
{
    return tclk_settings.split <= TCLK_SPLIT_KERNEL && tclk_sampler_of(record) == NULL;
}

bool tclk_divide_is_due(const struct tclk_record *record, int64_t cpu_ns)
{
    return cpu_ns - record->division.looked_cpu_ns >= tclk_settings.tick_ns && !tclk_filter_forbids();
}

/* ---- a look ---- */

static bool is_due(const struct tclk_record *record, int64_t cpu_ns)
{
    return record->generation == 0 || record->probation > 0 || tclk_divide_is_due(record, cpu_ns);
}

/* Whether the thread goes on by its bouts. */
static bool is_paced(const struct tclk_division *division, const struct tclk_look *look)
{
    uint32_t share;
    return tclk_settings.split != TCLK_SPLIT_KERNEL && !look->sampled.taken && tclk_division_tells(division, &share);
}

static void pace(const struct tclk_division *division, struct tclk_look *look)
{
    look->pace = tclk_counts_pace(&division->bouts.counts);
    look->lost_ns = division->bouts.passed * (int64_t)look->pace.switch_ns;
    look->passed = division->bouts.passed == 0 ? look->pace.calm : look->pace.rest;
}

void tclk_divide_look(const struct tclk_record *record, int64_t cpu_ns, struct tclk_point origin,
                      struct tclk_look *look)
{
    const struct tclk_division *division = &record->division;
    memset(look, 0, sizeof *look); /* in place: a copy would take more of the stack */
    look->sampled = tclk_sampler_look(record, cpu_ns);
    look->origin = origin;
    look->is_sampled = division->bouts.place != 0;
    look->is_paced = is_paced(division, look);
    if (look->is_paced) {
        pace(division, look);
    }
    if (!is_due(record, cpu_ns) || tclk_usage_read(&look->usage) != 0) {
        return;
    }
    look->taken = true;
    if (!look->is_paced) {
        tclk_kernel_share(record, cpu_ns, look);
    } else if (tclk_kernel_share_of_gap(record, cpu_ns, look, &look->passed)) {
        look->lost_ns = 0;
    }
}

void tclk_divide_look_again(const struct tclk_record *record, int64_t cpu_ns, struct tclk_look *look)
{
    memset(look, 0, sizeof *look);
    look->is_turn = true;
    look->sampled = tclk_sampler_look(record, cpu_ns);
}

/* ---- the line that it becomes ---- */

/* The kernel's share is of the time since the origin. */
static struct tclk_line smoothed(const struct tclk_look *look, struct tclk_point last, int64_t cpu_ns)
{
    int64_t aim_ns = look->origin.user_ns + tclk_share_of(cpu_ns - look->origin.cpu_ns, look->share);
    uint32_t trend = tclk_trend_is_known(look->trend) ? tclk_trend_share(look->trend) : look->share;
    return tclk_split_smoothed(last, cpu_ns, aim_ns, trend);
}

static struct tclk_line paced(const struct tclk_look *look, struct tclk_point last, int64_t cpu_ns)
{
    int64_t work_ns = cpu_ns - last.cpu_ns - look->lost_ns;
    int64_t user_ns = tclk_share_of(work_ns < 0 ? 0 : work_ns, look->passed);
    return (struct tclk_line){.start = {cpu_ns, last.user_ns + user_ns}, .rate = look->pace.calm};
}

struct tclk_line tclk_divide_line(const struct tclk_look *look, struct tclk_point last, int64_t cpu_ns, uint32_t rate)
{
    if (look->sampled.taken && !look->sampled.is_first) {
        return tclk_split_sampled(last, cpu_ns, look->sampled.user_ns, look->sampled.share, look->sampled.period_ns);
    }
    if (look->is_paced) {
        return paced(look, last, cpu_ns);
    }
    if (!look->taken) {
        int64_t user_ns = last.user_ns + tclk_share_of(cpu_ns - last.cpu_ns, rate);
        return (struct tclk_line){.start = {cpu_ns, user_ns}, .rate = rate};
    }
    if (tclk_settings.split == TCLK_SPLIT_KERNEL) {
        int64_t user_ns = look->origin.user_ns + look->usage.user_ns;
        return tclk_split_kernel(last, cpu_ns, user_ns, look->share);
    }
    return smoothed(look, last, cpu_ns);
}

int64_t tclk_divide_window_ns(const struct tclk_look *look, int64_t passed_ns, int64_t window_ns)
{
    int64_t slice_ns = look->sampled.taken ? TCLK_SAMPLE_SLICE_PERIODS * look->sampled.period_ns
                       : look->is_sampled  ? TCLK_BOUT_SLICE_NS
                                           : window_ns;
    return passed_ns + slice_ns < window_ns ? passed_ns + slice_ns : window_ns;
}

static void note_usage(struct tclk_record *record, int64_t cpu_ns, const struct tclk_look *look)
{
    tclk_sampler_watch(record, &look->usage);
    record->division.looked_cpu_ns = cpu_ns;
    record->division.steered_cpu_ns = cpu_ns;
    record->division.steered_user_1024ns = tclk_look_user_1024ns(look);
    record->division.trend = look->trend;
}

void tclk_divide_note(struct tclk_record *record, int64_t cpu_ns, const struct tclk_look *look,
                      const struct tclk_point *start)
{
    tclk_sampler_note(record, &look->sampled, *start, record->anchor.rate);
    if (look->is_turn) {
        return;
    }
    record->division.bouts.passed = 0;
    if (look->taken) {
        note_usage(record, cpu_ns, look);
    }
}

/* ---- for those who set no anchor ---- */

bool tclk_divide_share(const struct tclk_record *record, uint32_t *share)
{
    return tclk_sampler_share(record, share) ||
           (tclk_settings.split != TCLK_SPLIT_KERNEL && tclk_division_tells(&record->division, share));
}

int tclk_divide_aim(const struct tclk_record *record, struct tclk_aim *aim)
{
    aim->origin = tclk_record_origin(record);
    aim->is_slope = tclk_divide_share(record, &aim->share);
    return aim->is_slope ? 0 : tclk_kernel_share_now(&aim->share);
}

/* ---- its end ---- */

void tclk_divide_end(struct tclk_record *record)
{
    tclk_record_disarm(record);
    tclk_sampler_detach(record);
    tclk_bout_detach(record);
}

void tclk_divide_after_fork(void)
{
    tclk_sampler_after_fork();
    tclk_bout_after_fork();
}

/* ---- what it needs of perf ---- */

struct tclk_perf_page *tclk_divide_page(const struct tclk_record *record)
{
    return tclk_sampler_detector(record);
}

struct tclk_verdict tclk_divide_verdict(void)
{
    return tclk_bout_verdict();
}

uint32_t tclk_divide_refused(struct tclk_verdict *last)
{
    return tclk_sampler_refused(last);
}
