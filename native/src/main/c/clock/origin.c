/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/origin.h"

#include "clock/words.h"
#include "kernel/memory.h"
#include "kernel/proc_stat.h"
#include "kernel/raw_clock.h"
#include "kernel/slab.h"

#include <stddef.h>
#include <unistd.h>

/* The origin of each record; mapped at the first restore. Like a frontier, an origin is two words that change
 * together; the first one grows with each restore. */
static struct tclk_frontier *origins;

#define ORIGINS_BYTES ((size_t)TCLK_SLAB_MAX * sizeof *origins)

static struct tclk_frontier *place_of(uint32_t index)
{
    struct tclk_frontier *all = __atomic_load_n(&origins, __ATOMIC_ACQUIRE);
    return all == NULL ? NULL : all + index;
}

struct tclk_point tclk_origin_at(uint32_t index)
{
    const struct tclk_frontier *origin = place_of(index);
    if (origin == NULL) {
        return (struct tclk_point){0, 0};
    }
    struct tclk_frontier now = tclk_frontier_load(origin);
    return (struct tclk_point){(int64_t)now.moment, (int64_t)now.user};
}

/* Two threads may map the origins; only one mapping is kept. */
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
    /* otherwise a child clears the records that it takes */
    tclk_memory_wipe_on_fork(mine, ORIGINS_BYTES);
    if (!__atomic_compare_exchange_n(&origins, &none, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        tclk_memory_unmap(mine, ORIGINS_BYTES);
    }
    return true;
}

static struct tclk_frontier words_of(struct tclk_point point)
{
    return (struct tclk_frontier){(uint64_t)point.cpu_ns, (uint64_t)point.user_ns};
}

bool tclk_origin_move(uint32_t index, struct tclk_point from, struct tclk_point to)
{
    if (!ensure_origins()) {
        return false;
    }
    tclk_frontier_exchange(place_of(index), words_of(from), words_of(to));
    return tclk_origin_at(index).cpu_ns != from.cpu_ns;
}

void tclk_origin_forget(uint32_t index)
{
    struct tclk_frontier *origin = place_of(index);
    if (origin != NULL && origin->moment != 0) {
        *origin = (struct tclk_frontier){0, 0};
    }
}

/* ---- what shows a restore ---- */

/* A process may seem to have started later than it did, or now may seem earlier than it is, by this much: the unit
 * of a sighting, rounded up. */
#define SLACK_NS INT64_C(1000000)

/* A smaller difference is rounding. */
#define BACK_MIN_NS INT64_C(1000000)

enum tclk_restored tclk_origin_restored_since(int64_t seen_ns)
{
    int64_t started_ns;
    if (tclk_proc_stat_started_ns("/proc", getpid(), &started_ns) != 0) {
        return TCLK_RESTORED_UNKNOWN;
    }
    return started_ns > seen_ns + SLACK_NS || seen_ns > tclk_boot_clock_ns() + SLACK_NS ? TCLK_RESTORED
                                                                                        : TCLK_RESTORED_NOT;
}

bool tclk_origin_shown_by_cpu(int64_t from_ns, int64_t to_ns)
{
    return to_ns < from_ns - BACK_MIN_NS;
}

bool tclk_origin_shown_by_switches(uint32_t from, uint32_t to)
{
    return (int32_t)(to - from) < 0;
}
