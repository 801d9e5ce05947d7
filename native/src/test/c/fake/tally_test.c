/* SPDX-License-Identifier: Apache-2.0 */

/* Tests how samples are counted: those that came, and those that were due. */

#include "clock/divide/tally.h"
#include "clock/line.h"
#include "machine.h"
#include "random.h"

#include <tap.h>

#define PERIOD_NS (160 * US)

/* A thread whose event is due each PERIOD_NS of its CPU time, and not during a switch. */
struct thread {
    struct tclk_tally tally;
    int64_t raw_ns;
    int64_t cpu_ns;
    int64_t due_ns;
    int64_t calm_ns;
    int switches;
};

static struct thread born(void)
{
    struct thread t = {.raw_ns = 1000 * US, .due_ns = PERIOD_NS};
    tclk_tally_begin(&t.tally, PERIOD_NS, 0, t.raw_ns);
    return t;
}

static void run(struct thread *t, int64_t ns, bool is_user)
{
    for (; t->due_ns <= t->cpu_ns + ns; t->due_ns += PERIOD_NS) {
        if (is_user) {
            int64_t calm_ns = t->calm_ns > 0 ? t->calm_ns : INT64_MAX;
            tclk_tally_record(&t->tally, calm_ns, t->raw_ns + t->due_ns - t->cpu_ns, true);
        }
    }
    t->cpu_ns += ns;
    t->raw_ns += ns;
}

/* A reading before a wait is the last one of calm time. */
static void begin_wait(struct thread *t)
{
    t->calm_ns = t->cpu_ns;
}

static void sleep_for(struct thread *t, int64_t ns, int64_t cost_ns)
{
    run(t, cost_ns / 2, false);
    t->raw_ns += ns;
    run(t, cost_ns / 2, false);
    t->switches++;
}

static void end_wait(struct thread *t)
{
    tclk_tally_stretch(&t->tally, t->calm_ns, t->cpu_ns, t->raw_ns);
    t->calm_ns = 0;
}

static struct tclk_counts bursts(int64_t user_ns, int64_t system_ns, int64_t cost_ns)
{
    struct thread t = born();
    for (int i = 0; i < 100; i++) {
        run(&t, user_ns, true);
        run(&t, system_ns, false);
        begin_wait(&t);
        sleep_for(&t, 1 + (int64_t)(random_next() % 3000000), cost_ns);
        run(&t, 70 * US, true);
        end_wait(&t);
    }
    return tclk_tally_counts(&t.tally, t.switches);
}

static double ratio(uint32_t share)
{
    return (double)share / TCLK_SHARE_ONE;
}

TEST(pure_time_is_counted_without_chance)
{
    struct tclk_counts counts = bursts(300 * US, 0, 60 * US);
    ok(counts.calm.due > 100, "%d samples were due in bursts of user time", counts.calm.due);
    is_ns(counts.calm.users, counts.calm.due, "and all of them came");
    counts = bursts(0, 300 * US, 60 * US);
    ok(counts.calm.due > 100, "%d samples were due in bursts of system time", counts.calm.due);
    is_ns(counts.calm.users, 0, "and none of them came");
}

TEST(waits_have_their_cost)
{
    struct tclk_counts counts = bursts(300 * US, 0, 60 * US);
    struct tclk_pace pace = tclk_counts_pace(&counts);
    ok(pace.switch_ns > 45 * US && pace.switch_ns < 75 * US, "a switch of 60 us costs %d us",
       (int)(pace.switch_ns / US));
    is_share(ratio(pace.mean), 0.83, 0.9, "370 of 430 us are user time");
}

TEST(mixtures_are_not_biased)
{
    struct tclk_counts counts = bursts(90 * US, 210 * US, 10 * US);
    is_share(ratio(tclk_counts_pace(&counts).calm), 0.2, 0.4, "30 % of calm time read");
}

TEST(a_stretch_without_a_wait_is_calm)
{
    struct thread t = born();
    run(&t, 10000 * US, true);
    tclk_tally_stretch(&t.tally, t.cpu_ns, t.cpu_ns, t.raw_ns);
    struct tclk_counts counts = tclk_tally_counts(&t.tally, 0);
    is_ns(counts.rest.due, 0, "without a wait, all is calm");
    is_ns(counts.calm.users, 62, "and 62 periods of 160 us are 10 ms");
}

/* ---- counts ---- */

static struct tclk_counts calm(uint16_t users, uint16_t due)
{
    return (struct tclk_counts){.calm = {.due = due, .users = users}};
}

static bool differ(struct tclk_counts known, struct tclk_counts more)
{
    return tclk_counts_differ(&known, &more, 3);
}

TEST(changes_are_told_from_chance)
{
    ok(differ(calm(0, 30), calm(8, 8)), "all user time after none is a change");
    ok(differ(calm(64, 64), calm(3, 8)), "and so is half of it after all");
    ok(!differ(calm(32, 64), calm(7, 8)), "seven of eight after a half may be chance");
    ok(!differ(calm(60, 64), calm(8, 8)), "a small difference is none");
}

TEST(old_counts_lose_weight)
{
    struct tclk_counts known = calm(0, 0);
    for (int i = 0; i < 100; i++) {
        known = tclk_counts_add(known, calm(0, 8));
    }
    ok(known.calm.due <= 128, "no more than 128 samples are remembered: %d", known.calm.due);
    for (int i = 0; i < 40; i++) {
        known = tclk_counts_add(known, calm(8, 8));
    }
    is_share(ratio(tclk_counts_pace(&known).calm), 0.85, 1, "after 320 samples, those before have little weight");
}
