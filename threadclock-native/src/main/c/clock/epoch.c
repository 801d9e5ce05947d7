/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/epoch.h"

#include "clock/curve.h"
#include "kernel/proc_stat.h"
#include "kernel/raw_clock.h"

#include <unistd.h>

/* A process may seem to have started later than it did, or now may seem earlier than it is, by this much: the unit
 * of a sighting, rounded up. */
#define SLACK_NS INT64_C(1000000)

bool tclk_epoch_begin(struct tclk_record *record, struct tclk_point origin)
{
    return tclk_record_move_origin(record, origin, tclk_curve_told(record)) &&
           tclk_record_origin(record).cpu_ns != origin.cpu_ns;
}

enum tclk_restored tclk_epoch_restored_since(int64_t seen_ns)
{
    int64_t started_ns;
    if (tclk_proc_stat_started_ns("/proc", getpid(), &started_ns) != 0) {
        return TCLK_RESTORED_UNKNOWN;
    }
    return started_ns > seen_ns + SLACK_NS || seen_ns > tclk_boot_clock_ns() + SLACK_NS ? TCLK_RESTORED
                                                                                        : TCLK_RESTORED_NOT;
}
