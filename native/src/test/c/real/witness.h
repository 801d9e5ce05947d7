/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_WITNESS_H
#define TCLK_TEST_WITNESS_H

/*
 * Readings of the calling thread, in bursts, held against the kernel's clock before and after each.
 *
 * The counter also counts what the kernel does not book: what a hypervisor takes away (steal), and
 * interrupts where those are accounted. It shows: while a thread is not switched out, wall time passes
 * just as CPU time does, and what it passes faster was stolen. So the laws are
 *     before - SLACK  <=  ours  <=  after + stolen since the epoch began + SLACK
 * and that no reading gets ahead of the kernel's by more than JUMP while the thread is switched out:
 * that would be a switch that went unnoticed. An epoch begins with a sleep, and so with a fresh anchor.
 */

#include "clocks.h"
#include "include/threadclock.h"
#include "laws.h"

#include <inttypes.h>
#include <stdbool.h>
#include <tap.h>

/* An anchor is exact to half the time that the kernel's reading took, which is at most 16 times the fastest one (or
 * 4 us), and to 50 ppm of a window of 4 ms, which is the error of the first calibration. */
#define WITNESS_SLACK_NS (10 * US)
#define WITNESS_SLACK_IN_READINGS 20
#define WITNESS_READINGS_TRIED 100
#define WITNESS_JUMP_NS (50 * US)

/* If a hypervisor takes the CPU away between a reading and the kernel's next one, right after a switch, this looks
 * like a missed switch. It is rare, because such a moment lasts some 0.2 us. */
#define WITNESS_CHANCE 2

/* Time stolen in such a moment is in all readings up to the next anchor, which may be a thousand. It is one event,
 * so a reading that is too high ends its epoch, and the law is about epochs: one in a hundred may end so. */
#define WITNESS_STRAY_DIVISOR 100
#define WITNESS_STRAYS(epochs) (WITNESS_CHANCE + (epochs) / WITNESS_STRAY_DIVISOR)

#define EPOCH_NS (12 * MS)

/* The number of readings between two looks at the kernel. Most of the time is spent in readings. */
#define WITNESS_BURST 64

/* The time of a comparison and a look, which are three to five system calls. */
#define WITNESS_LOOK_NS (4 * US)

struct witness {
    /* The start of the epoch, and the time in it since the thread was last switched out. How far a reading was ahead
     * then has been judged, and does not count against the next. */
    int64_t epoch_ns;
    int64_t since_wall_ns;
    int64_t since_cpu_ns;
    int64_t stolen_before_ns;
    int64_t stolen_ns; /* steal since the epoch began */

    /* When the last reading was over. */
    int64_t switches;
    int64_t first_ns;  /* of a burst */
    int64_t excess_ns; /* how far our reading is above the kernel's */

    /* The results. */
    int64_t readings; /* bursts of them */
    int64_t switched; /* bursts in which the thread was switched out */
    int64_t missed;   /* … and whose readings ran ahead */
    int64_t below;
    int64_t epochs;
    int64_t above; /* epochs that ended with a reading above the kernel's */
    int64_t inconsistent;
    int64_t most_below_ns;
    int64_t most_above_ns;
    int64_t most_jumped_ns;
};

static inline void witness_note_most(int64_t *most_ns, int64_t ns)
{
    *most_ns = ns > *most_ns ? ns : *most_ns;
}

/* The slack is larger on a machine whose system calls take microseconds; and the fastest call that the library has
 * seen need not be the fastest of all. */
static inline int64_t witness_slack_ns(void)
{
    static int64_t slack_ns;
    int64_t known_ns = __atomic_load_n(&slack_ns, __ATOMIC_RELAXED);
    if (known_ns != 0) {
        return known_ns;
    }
    int64_t fastest_ns = INT64_MAX;
    for (int i = 0; i < WITNESS_READINGS_TRIED; i++) {
        int64_t begin_ns = wall_ns();
        kernel_cpu_ns();
        int64_t took_ns = wall_ns() - begin_ns;
        fastest_ns = took_ns < fastest_ns ? took_ns : fastest_ns;
    }
    known_ns = WITNESS_SLACK_IN_READINGS * fastest_ns;
    known_ns = known_ns > WITNESS_SLACK_NS ? known_ns : WITNESS_SLACK_NS;
    __atomic_store_n(&slack_ns, known_ns, __ATOMIC_RELAXED);
    return known_ns;
}

/* True if the reading is above the kernel's. */
static inline bool witness_judge(struct witness *w, int64_t below_ns, int64_t excess_ns, bool switched)
{
    int64_t above_ns = excess_ns - w->stolen_ns;
    int64_t jumped_ns = excess_ns - (w->excess_ns > 0 ? w->excess_ns : 0);
    w->readings++;
    w->switched += switched;
    w->below += below_ns > witness_slack_ns();
    bool above = above_ns > witness_slack_ns();
    w->above += above;
    w->missed += switched && jumped_ns > WITNESS_JUMP_NS;
    witness_note_most(&w->most_below_ns, below_ns);
    witness_note_most(&w->most_above_ns, above_ns);
    witness_note_most(&w->most_jumped_ns, switched ? jumped_ns : 0);
    w->excess_ns = excess_ns;
    return above;
}

/* Reads both clocks at the same moment, from which on steal is measured. False if too much time has passed since the
 * last comparison with the kernel, so that the steal in between is unknown. */
static inline bool witness_look(struct witness *w, int64_t compared_ns, int64_t most_ns)
{
    w->since_wall_ns = wall_ns();
    w->since_cpu_ns = kernel_cpu_ns();
    w->stolen_before_ns = w->excess_ns > 0 ? w->excess_ns : 0;
    w->stolen_ns = w->stolen_before_ns;
    return wall_ns() - compared_ns < most_ns;
}

/* After a sleep the kernel is asked. If readings had run ahead of it, it must catch up first. */
static inline void witness_begin_epoch(struct witness *w)
{
    int64_t compared_ns;
    int64_t most_ns = WITNESS_LOOK_NS;
    do {
        sleep_ns(1);
        do {
            compared_ns = wall_ns();
        } while (tclk_thread_cpu_ns() > kernel_cpu_ns());
        w->switches = switches_now();
        w->excess_ns = 0;
        most_ns += WITNESS_LOOK_NS / 4; /* some machines are slow */
    } while (!witness_look(w, compared_ns, most_ns));
    w->epoch_ns = w->since_wall_ns;
    w->epochs++;
}

/* Reads again and again, so that a switch comes in the middle of a read, and not between two. */
static inline struct tclk_times witness_burst(struct witness *w)
{
    struct tclk_times first = {-1, 0, 0};
    tclk_thread_read(&first);
    struct tclk_times last = first;
    for (int i = 1; i < WITNESS_BURST; i++) {
        tclk_thread_read(&last);
    }
    w->inconsistent += !times_are_consistent(first) || !times_are_consistent(last);
    w->first_ns = first.cpu_ns;
    return last;
}

static inline void witness_read(struct witness *w)
{
    int64_t before_ns = kernel_cpu_ns();
    struct tclk_times ours = witness_burst(w);
    int64_t after_ns = kernel_cpu_ns();
    int64_t now_ns = wall_ns();
    int64_t switches = switches_now();
    bool switched = switches != w->switches;
    if (!switched) {
        int64_t stolen_ns = (now_ns - w->since_wall_ns) - (after_ns - w->since_cpu_ns);
        w->stolen_ns = w->stolen_before_ns + (stolen_ns > 0 ? stolen_ns : 0);
    }
    bool above = witness_judge(w, before_ns - w->first_ns, ours.cpu_ns - after_ns, switched);
    w->switches = switches;
    if (above || (switched && !witness_look(w, now_ns, WITNESS_LOOK_NS)) || now_ns - w->epoch_ns > EPOCH_NS) {
        witness_begin_epoch(w);
    }
}

static inline struct witness witness_watch(int64_t for_ns)
{
    struct witness w = {0};
    int64_t end_ns = wall_ns() + for_ns;
    witness_begin_epoch(&w);
    do { /* once at least, because on a busy machine the beginning may take all the time */
        witness_read(&w);
    } while (wall_ns() < end_ns);
    return w;
}

/* Adds up the results of several witnesses. */
static inline void witness_add(struct witness *sum, const struct witness *w)
{
    sum->readings += w->readings;
    sum->switched += w->switched;
    sum->missed += w->missed;
    sum->below += w->below;
    sum->epochs += w->epochs;
    sum->above += w->above;
    sum->inconsistent += w->inconsistent;
    witness_note_most(&sum->most_below_ns, w->most_below_ns);
    witness_note_most(&sum->most_above_ns, w->most_above_ns);
    witness_note_most(&sum->most_jumped_ns, w->most_jumped_ns);
}

/* The thread runs beside one that has it switched out, which may be late on a busy machine. Emulated there, a watch may
 * be over after a single reading. */
static inline struct witness witness_watch_switched(int64_t for_ns)
{
    struct witness w = witness_watch(for_ns);
    while (w.switched == 0) {
        struct witness more = witness_watch(for_ns);
        witness_add(&w, &more);
    }
    return w;
}

/* Confirms the laws for a reader in a certain situation. */
static inline void witness_confirms(const struct witness *w, const char *source, const char *who)
{
    bool all =
        ok(w->readings > 0 && w->inconsistent == 0, "%s, %s: user + system = CPU time in every reading", source, who);
    all &= ok(w->below == 0, "%s, %s: no reading is below the kernel's before it", source, who);
    if (kind_judges_timing("no reading is above the kernel's after it, and no switch goes unnoticed")) {
        all &= ok(w->above <= WITNESS_STRAYS(w->epochs), "%s, %s: readings are not above the kernel's after them",
                  source, who);
        all &= ok(w->missed <= WITNESS_CHANCE, "%s, %s: no switch goes unnoticed", source, who);
    }
    if (!all || getenv("TAP_VERBOSE") != NULL) {
        diag("%" PRId64 " bursts in %" PRId64 " epochs, switched out in %" PRId64 ", missed %" PRId64
             ", at most %" PRId64 " ns; below %" PRId64 ", at most %" PRId64 " ns; above %" PRId64 ", at most %" PRId64
             " ns; inconsistent %" PRId64,
             w->readings, w->epochs, w->switched, w->missed, w->most_jumped_ns, w->below, w->most_below_ns, w->above,
             w->most_above_ns, w->inconsistent);
    }
}

/* Watches for this long, and confirms the laws. */
static inline void witness_reads_right(int64_t for_ns, const char *source, const char *who)
{
    struct witness w = witness_watch(for_ns);
    witness_confirms(&w, source, who);
}

#endif
