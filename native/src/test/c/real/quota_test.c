/* SPDX-License-Identifier: Apache-2.0 */

/* A control group that may use a fifth of a CPU. Its threads are switched out for most of the time, all at once, in
 * the middle of computing. */

#include "real.h"

#include <quota_group.h>

#define QUOTA_MISSING "the right to make a control group with a CPU quota (cgroup v2 cpu.max, or v1)"

#define READERS 3
#define WATCH_NS (250 * MS)
#define THROTTLED_NEEDED 3
#define PATIENCE_NS (5 * S)
#define QUOTA_US 4000
#define PERIOD_US 20000

static int64_t throttled_before;

static int64_t times_throttled(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/cpu.stat", quota_group);
    return file_number(path, "nr_throttled ");
}

/* A group that gets less than its quota, because the machine is busy, is not throttled, so this tries for longer. */
static bool has_been_throttled(int64_t began_ns)
{
    return times_throttled() >= throttled_before + THROTTLED_NEEDED || wall_ns() - began_ns > PATIENCE_NS;
}

static void *watch(void *w)
{
    int64_t began_ns = wall_ns();
    do {
        struct witness more = witness_watch(kind_amount(WATCH_NS));
        witness_add(w, &more);
    } while (!has_been_throttled(began_ns));
    return NULL;
}

static void readers_are_throttled(const char *source)
{
    throttled_before = times_throttled();
    watchers_hold(READERS, watch, source, "in a group with a CPU quota");
    if (!skips(times_throttled() <= throttled_before, "the group was throttled",
               "a machine that gives the group all its quota")) {
        ok(true, "%s: the group was throttled", source);
    }
}

static void in_group(void)
{
    if (skips(!quota_group_join(), "threads of a group with a CPU quota read right", QUOTA_MISSING)) {
        return;
    }
    sources_window_ns = 100 * MS; /* longer than they are switched out for */
    with_each_source(readers_are_throttled);
}

int main(void)
{
    if (skips(!quota_group_make(QUOTA_US, PERIOD_US), "threads of a group with a CPU quota read right",
              QUOTA_MISSING)) {
        return done();
    }
    in_child(in_group);
    quota_group_remove();
    return done();
}
