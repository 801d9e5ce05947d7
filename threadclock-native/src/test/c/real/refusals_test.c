/* SPDX-License-Identifier: Apache-2.0 */

/*
 * rseq and perf are refused, each with both errors that a filter may answer, and both at once; also after the process
 * has proved them, so that only its new threads are refused. libc's rseq is switched off by its tunable, because
 * otherwise there would be nothing to refuse.
 */

#include "kind.h"
#include "leftovers.h"
#include "process.h"
#include "rseq.h"
#include "seccomp.h"
#include "sources.h"
#include "watchers.h"

#include <string.h>
#include <tap.h>

#define THREADS 4
#define WATCH_NS (60 * MS)
#define TEXT_BYTES 2048

static const struct refusal {
    const char *who;
    int rseq; /* errno, or 0: not refused */
    int perf;
    const char *says[2];
} * refusal;

static const struct refusal refusals[] = {
    {"nothing refused", 0, 0, {NULL, NULL}},
    {"rseq refused (ENOSYS)", ENOSYS, 0, {"rseq: rseq refused: ENOSYS (38)", NULL}},
    {"rseq refused (EPERM)", EPERM, 0, {"rseq: rseq refused: EPERM (1)", NULL}},
    {"perf refused (EPERM)", 0, EPERM, {NULL, "perf: perf_event_open refused: EPERM (1)"}},
    {"perf refused (EACCES)", 0, EACCES, {NULL, "perf: perf_event_open refused: EACCES (13)"}},
    {"both refused (ENOSYS, EPERM)",
     ENOSYS,
     EPERM,
     {"rseq: rseq refused: ENOSYS (38)", "perf: perf_event_open refused: EPERM (1)"}},
    {"both refused (EPERM, EACCES)",
     EPERM,
     EACCES,
     {"rseq: rseq refused: EPERM (1)", "perf: perf_event_open refused: EACCES (13)"}},
};

static bool refuse(int rseq, int perf)
{
    return (rseq == 0 || seccomp_refuse(SYS_rseq, rseq)) && (perf == 0 || seccomp_refuse(SYS_perf_event_open, perf));
}

static void threads_read_right(const char *who)
{
    int64_t idle;
    times_now();
    struct leftovers before = leftovers_now();
    struct witness sum = watchers_watch(THREADS, kind_rounds(WATCH_NS), &idle);
    witness_confirms(&sum, tclk_source_name(tclk_clock_source()), who);
    leftovers_none(before, who);
}

/* ---- refused from the start ---- */

static void is_not_taken(enum tclk_source source, int error)
{
    struct tclk_config config = {.source = source};
    if (error != 0) {
        ok(tclk_clock_source() != source, "%s: the source is another one", refusal->who);
        is_ns(tclk_clock_configure(&config), -ENOTSUP, "%s: by name it is refused", refusal->who);
    }
}

static void is_said(const char *expected)
{
    char text[TEXT_BYTES];
    tclk_clock_explain(text, sizeof text);
    if (expected != NULL && !ok(strstr(text, expected) != NULL, "%s: it says so", refusal->who)) {
        diag("no \"%s\" in: %s", expected, text);
    }
}

static void refused_from_the_start(void)
{
    if (!refuse(refusal->rseq, refusal->perf)) {
        skip(refusal->who, SECCOMP_MISSING);
        return;
    }
    is_not_taken(TCLK_SOURCE_RSEQ, refusal->rseq);
    is_not_taken(TCLK_SOURCE_PERF, refusal->perf);
    if (refusal->rseq != 0 && refusal->perf != 0) {
        ok(tclk_clock_source() == TCLK_SOURCE_CLOCK, "%s: clock is left", refusal->who);
    }
    if (rseq_is_cleared_in_calls()) {
        is_said(refusal->says[0]);
    }
    is_said(refusal->says[1]);
    threads_read_right(refusal->who);
}

/* ---- refused later ---- */

static enum tclk_source proved;

static void refused_later(void)
{
    char who[64];
    struct tclk_stats stats;
    snprintf(who, sizeof who, "%s, both refused once it was proved", tclk_source_name(proved));
    if (!source_use(proved)) {
        return;
    }
    times_now();
    if (!refuse(EPERM, EACCES)) {
        skip(who, SECCOMP_MISSING);
        return;
    }
    threads_read_right(who);
    ok(tclk_clock_source() == proved, "%s: it stays the source", who);
    tclk_clock_stats(&stats);
    is_ns(stats.demotions, 0, "%s: it is not blamed", who);
    ok(stats.resyncs_unarmed > 0, "%s: threads without a detector ask the kernel", who);
}

int main(int count, char **arguments)
{
    (void)count;
    if (!rseq_starts_without_libcs(arguments)) {
        skip("rseq and perf refused", "the tunable " RSEQ_OFF_TUNABLE);
        return done();
    }
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        refusal = &refusals[i];
        in_child(refused_from_the_start);
    }
    proved = TCLK_SOURCE_RSEQ;
    in_child(refused_later);
    proved = TCLK_SOURCE_PERF;
    in_child(refused_later);
    return done();
}
