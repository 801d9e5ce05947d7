/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_LAWS_H
#define TCLK_TEST_LAWS_H

/* What is true of any reading, and of the readings of one thread in their order, whoever makes them. */

#include "clocks.h"
#include "include/threadclock.h"
#include "sources.h"

#include <stdbool.h>
#include <tap.h>

static inline bool times_are_consistent(struct tclk_times t)
{
    return t.user_ns >= 0 && t.system_ns >= 0 && t.user_ns + t.system_ns == t.cpu_ns;
}

/* A first reading asks the kernel, and nothing may come between. Uses no stdio, so that any child may call it. */
static inline bool reads_as_the_kernel(struct tclk_times *times)
{
    *times = (struct tclk_times){-1, -1, -1};
    int64_t before_ns = kernel_cpu_ns();
    int error = tclk_thread_read(times);
    int64_t after_ns = kernel_cpu_ns();
    return error == 0 && before_ns <= times->cpu_ns && times->cpu_ns <= after_ns && times_are_consistent(*times);
}

static inline bool first_reading_is_right(void)
{
    struct tclk_times times;
    bool right = reads_as_the_kernel(&times);
    if (!right) {
        diag("%" PRId64 " ns, user %" PRId64 ", and then the kernel's %" PRId64, times.cpu_ns, times.user_ns,
             kernel_cpu_ns());
    }
    return right;
}

/* Readings of one thread, each begun after the one before it was over. */
struct sequence {
    struct tclk_times last;
    int64_t readings;
    int64_t errors;
    int64_t cpu_back;
    int64_t user_back;
    int64_t outgrown; /* user time grew by more than CPU time, or is no part of it */
    int64_t worst_ns;
};

static inline void sequence_note(struct sequence *s, int64_t *breaches, int64_t by_ns)
{
    *breaches += by_ns > 0;
    s->worst_ns = by_ns > s->worst_ns ? by_ns : s->worst_ns;
}

static inline void sequence_compare(struct sequence *s, struct tclk_times before, struct tclk_times now)
{
    s->readings++;
    sequence_note(s, &s->cpu_back, before.cpu_ns - now.cpu_ns);
    sequence_note(s, &s->user_back, before.user_ns - now.user_ns);
    sequence_note(s, &s->outgrown, now.user_ns - before.user_ns - (now.cpu_ns - before.cpu_ns));
}

static inline void sequence_judge(struct sequence *s, struct tclk_times now)
{
    sequence_compare(s, s->last, now);
    s->outgrown += !times_are_consistent(now);
    s->last = now;
}

static inline void sequence_read(struct sequence *s)
{
    struct tclk_times now;
    if (tclk_thread_read(&now) != 0) {
        s->errors++;
        return;
    }
    sequence_judge(s, now);
}

static inline void sequence_add(struct sequence *sum, const struct sequence *s)
{
    sum->readings += s->readings;
    sum->errors += s->errors;
    sum->cpu_back += s->cpu_back;
    sum->user_back += s->user_back;
    sum->outgrown += s->outgrown;
    sum->worst_ns = s->worst_ns > sum->worst_ns ? s->worst_ns : sum->worst_ns;
}

static inline bool sequence_is_lawful(const struct sequence *s)
{
    return s->errors + s->cpu_back + s->user_back + s->outgrown == 0;
}

static inline void sequence_holds(const struct sequence *s, const char *where, const char *who)
{
    ok(s->readings > 0 && s->errors == 0, "%s, %s: every reading succeeds", where, who);
    is_ns(s->cpu_back, 0, "%s, %s: CPU time never steps back", where, who);
    is_ns(s->user_back, 0, "%s, %s: nor does user time", where, who);
    is_ns(s->outgrown, 0, "%s, %s: user time grows no faster than CPU time, and is a part of it", where, who);
    diag("%" PRId64 " readings, worst %" PRId64 " ns", s->readings, s->worst_ns);
}

/* Computes for 20 us, or copies 64 KiB in the kernel. */
static inline void work_shortly(bool in_kernel)
{
    if (in_kernel) {
        copy_zeroes(1);
    } else {
        spin_wall_ns(20 * US);
    }
}

#endif
