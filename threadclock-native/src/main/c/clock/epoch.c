/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/epoch.h"

#include "clock/curve.h"
#include "clock/frontier.h"
#include "kernel/memory.h"
#include "kernel/proc_stat.h"
#include "kernel/raw_clock.h"
#include "kernel/slab.h"

#include <stddef.h>
#include <unistd.h>

/* By how much a process may seem to have been started later than it was, or now to be earlier than it is: the
 * unit in which a sighting is noted, rounded up. */
#define SLACK_NS INT64_C(1000000)

/* Of each record; mapped at the first restore. Two words that change together, like a frontier's: the first one
 * grows with each restore. */
static struct tclk_frontier *origins;

#define ORIGINS_BYTES ((size_t)TCLK_SLAB_MAX * sizeof *origins)

static struct tclk_frontier *origin_of(const struct tclk_record *record)
{
    struct tclk_frontier *all = __atomic_load_n(&origins, __ATOMIC_ACQUIRE);
    return all == NULL ? NULL : all + tclk_record_index(record);
}

struct tclk_point tclk_epoch_origin(const struct tclk_record *record)
{
    const struct tclk_frontier *origin = origin_of(record);
    if (origin == NULL) {
        return (struct tclk_point){0, 0};
    }
    struct tclk_frontier now = tclk_frontier_load(origin);
    return (struct tclk_point){(int64_t)now.moment, (int64_t)now.user};
}

/* Two threads may map them: one keeps its own. */
static bool ensure_origins(void)
{
    struct tclk_frontier *none = NULL;
    if (__atomic_load_n(&origins, __ATOMIC_ACQUIRE) != NULL) {
        return true;
    }
    struct tclk_frontier *mine = tclk_memory_map(ORIGINS_BYTES);
    if (mine == NULL) {
        return false;
    }
    tclk_memory_wipe_on_fork(mine, ORIGINS_BYTES); /* else a child clears what it takes */
    if (!__atomic_compare_exchange_n(&origins, &none, mine, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        tclk_memory_unmap(mine, ORIGINS_BYTES);
    }
    return true;
}

static struct tclk_frontier words_of(struct tclk_point point)
{
    return (struct tclk_frontier){(uint64_t)point.cpu_ns, (uint64_t)point.user_ns};
}

bool tclk_epoch_begin(struct tclk_record *record, struct tclk_point origin)
{
    if (!ensure_origins()) {
        return false;
    }
    tclk_frontier_exchange(origin_of(record), words_of(origin), words_of(tclk_curve_told(record)));
    return tclk_epoch_origin(record).cpu_ns != origin.cpu_ns;
}

void tclk_epoch_forget(const struct tclk_record *record)
{
    struct tclk_frontier *origin = origin_of(record);
    if (origin != NULL && origin->moment != 0) {
        *origin = (struct tclk_frontier){0, 0};
    }
}

enum tclk_restored tclk_epoch_restored_since(int64_t seen_ns)
{
    int64_t started_ns;
    if (tclk_proc_stat_started_ns("/proc", getpid(), &started_ns) != 0) {
        return TCLK_RESTORED_UNKNOWN;
    }
    return started_ns > seen_ns + SLACK_NS || seen_ns > tclk_boot_clock_ns() + SLACK_NS
               ? TCLK_RESTORED
               : TCLK_RESTORED_NOT;
}
