/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/split_look.h"

#include "clock/epoch.h"
#include "clock/share.h"
#include "clock/source.h"
#include "kernel/clockid.h"

#include <string.h>

/* Below that many ticks of its own a thread's share is not known, and the process's is taken. */
#define TICKS_NEEDED 3

/* Half of what the note of the kernel's user time can tell. */
#define FOLLOWED_MOST_NS (INT64_C(1) << 41)

/* Few ticks are counted by the raw PROF clock, which is asked only while the thread is young. */
static bool is_young(const struct tclk_usage *usage)
{
    int64_t all_ns = usage->user_ns + usage->system_ns;
    int64_t needed_ns = TICKS_NEEDED * tclk_settings.tick_ns;
    int64_t ticked_ns = all_ns;
    return all_ns < 4 * needed_ns && tclk_clock_read_own(TCLK_CLOCK_PROF, &ticked_ns) == 0 &&
           ticked_ns < needed_ns;
}

static uint32_t share_of(const struct tclk_usage *usage)
{
    return tclk_share_between(usage->user_ns, usage->system_ns, TCLK_SHARE_ONE);
}

/* The last look says nothing if the thread was young, or has been restored since; nor if the kernel's user time may
 * have come round to what was noted. */
static bool can_follow(const struct tclk_record *record, int64_t cpu_ns, struct tclk_point origin)
{
    return tclk_trend_is_known(record->trend) && record->steered_cpu_ns > origin.cpu_ns &&
           cpu_ns - record->steered_cpu_ns < FOLLOWED_MOST_NS;
}

static struct tclk_trend trend_of(const struct tclk_record *record, int64_t cpu_ns,
                                  const struct tclk_split_look *look)
{
    if (!can_follow(record, cpu_ns, look->origin)) {
        return tclk_trend_begin(look->share, look->usage.user_ns + look->usage.system_ns,
                                tclk_settings.tick_ns);
    }
    int64_t passed_ns = cpu_ns - record->steered_cpu_ns;
    if (passed_ns < tclk_settings.tick_ns / 2) { /* on probation: no tick may have come */
        return record->trend;
    }
    uint32_t user_1024ns = tclk_split_look_user_1024ns(look) - record->steered_user_1024ns;
    return tclk_trend_follow(record->trend, (int64_t)user_1024ns << 10, passed_ns,
                             tclk_settings.tick_ns);
}

static bool is_due(const struct tclk_record *record, int64_t cpu_ns)
{
    return record->generation == 0 || record->probation > 0 ||
           cpu_ns - record->steered_cpu_ns >= tclk_settings.tick_ns;
}

/* What the kernel says, understood. A function of its own: the look itself has the kernel's answer on its stack. */
__attribute__((noinline)) static void understand(const struct tclk_record *record, int64_t cpu_ns,
                                                 struct tclk_split_look *look)
{
    look->taken = true;
    if (is_young(&look->usage)) {
        look->share = tclk_share_of_process();
    } else {
        look->share = share_of(&look->usage);
        look->trend = trend_of(record, cpu_ns, look);
    }
}

void tclk_split_look(const struct tclk_record *record, int64_t cpu_ns, struct tclk_point origin,
                     struct tclk_split_look *look)
{
    memset(look, 0, sizeof *look); /* in place: a copy would take more of the stack */
    look->sampled = tclk_sampler_look(record, cpu_ns);
    look->origin = origin;
    if (is_due(record, cpu_ns) && tclk_usage_read(&look->usage) == 0) {
        understand(record, cpu_ns, look);
    }
}

/* The kernel's share is of what has passed since the origin. */
static struct tclk_line smoothed(const struct tclk_split_look *look, struct tclk_point last,
                                 int64_t cpu_ns)
{
    struct tclk_point origin = look->origin;
    struct tclk_point since = {last.cpu_ns - origin.cpu_ns, last.user_ns - origin.user_ns};
    uint32_t trend = tclk_trend_is_known(look->trend) ? tclk_trend_share(look->trend) : look->share;
    struct tclk_line line = tclk_split_smoothed(since, cpu_ns - origin.cpu_ns, look->share, trend);
    line.start.cpu_ns += origin.cpu_ns;
    line.start.user_ns += origin.user_ns;
    return line;
}

struct tclk_line tclk_split_look_line(const struct tclk_split_look *look, struct tclk_point last,
                                      int64_t cpu_ns, uint32_t rate)
{
    if (look->sampled.taken && !look->sampled.is_first) {
        return tclk_split_sampled(last, cpu_ns, look->sampled.user_ns, look->sampled.share);
    }
    if (!look->taken) {
        int64_t user_ns = last.user_ns + tclk_share_of(cpu_ns - last.cpu_ns, rate);
        return (struct tclk_line){{cpu_ns, user_ns}, rate};
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
    aim->origin = tclk_epoch_origin(record);
    aim->is_slope = tclk_sampler_share(record, &aim->share);
    int error = aim->is_slope ? 0 : tclk_usage_read(&usage);
    if (error == 0 && !aim->is_slope) {
        aim->share = is_young(&usage) ? tclk_share_of_process() : share_of(&usage);
    }
    return error;
}
