/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/explain.h"

#include "clock/proof.h"
#include "clock/record.h"
#include "clock/source.h"
#include "include/threadclock.h"
#include "kernel/filter.h"
#include "kernel/perf_page.h"

#include <errno.h>

static const char *error_name(int error)
{
    switch (error) {
    case EPERM:
        return "EPERM";
    case ESRCH:
        return "ESRCH";
    case EACCES:
        return "EACCES";
    case EBUSY:
        return "EBUSY";
    case EINVAL:
        return "EINVAL";
    case EMFILE:
        return "EMFILE";
    case ENFILE:
        return "ENFILE";
    case ENODEV:
        return "ENODEV";
    case ENOENT:
        return "ENOENT";
    case ENOMEM:
        return "ENOMEM";
    case ENOSYS:
        return "ENOSYS";
    default:
        return "another error";
    }
}

static void add_error(struct tclk_text *text, const char *call, int error)
{
    if (error == TCLK_FILTER_KILLS) {
        tclk_text_add(text, "%s is not called: this process's seccomp filter kills for it", call);
        return;
    }
    if (error == TCLK_FILTER_UNTRIED) {
        tclk_text_add(text,
                      "%s is not called: this process has a seccomp filter, which may kill for it, "
                      "and is too large for a child to try; name the source",
                      call);
        return;
    }
    tclk_text_add(text, "%s refused: %s (%d)", call, error_name(error), error);
}

static void add_perf_setting(struct tclk_text *text, int error)
{
    int paranoid;
    if (error >= TCLK_FILTER_KILLS || tclk_perf_paranoid(&paranoid) != 0) {
        return;
    }
    tclk_text_add(text, ", kernel.perf_event_paranoid=%d; ", paranoid);
    tclk_text_add(text, "%s", paranoid > 2 ? "set it to 2 or lower" : "allow perf_event_open in the seccomp filter");
}

static const struct {
    const char *call;
    const char *text;
} refusals[] = {
#define ENTRY(name, call, text) [name] = {call, text},
    TCLK_REFUSALS(ENTRY)
#undef ENTRY
};

/* The table above has the formats, each of which takes none of these numbers, or the first, or both. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void tclk_text_add_verdict(struct tclk_text *text, struct tclk_verdict v)
{
    if (refusals[v.refusal].call != NULL) {
        add_error(text, refusals[v.refusal].call, v.error);
    }
    if (refusals[v.refusal].text != NULL) {
        tclk_text_add(text, refusals[v.refusal].text, v.a, v.b);
    }
    if (v.refusal == TCLK_REFUSED_PERF_OPEN) {
        add_perf_setting(text, v.error);
    }
}
#pragma GCC diagnostic pop

static void add_source(struct tclk_text *text, enum tclk_source source)
{
    tclk_text_add(text, "%s: ", tclk_source_name(source));
    tclk_text_add_verdict(text, tclk_proof_verdict(source));
    tclk_text_add(text, "\n");
}

static void add_span(struct tclk_text *text, int64_t ns)
{
    if (ns % 1000000 == 0) {
        tclk_text_add(text, "%lldms", (long long)(ns / 1000000));
    } else if (ns % 1000 == 0) {
        tclk_text_add(text, "%lldus", (long long)(ns / 1000));
    } else {
        tclk_text_add(text, "%lldns", (long long)ns);
    }
}

static void add_split(struct tclk_text *text)
{
    enum tclk_split split = tclk_settings.split;
    tclk_text_add(text, "%s", tclk_split_name(split));
    if (split == TCLK_SPLIT_SAMPLED) {
        tclk_text_add(text, ":");
        add_span(text, tclk_settings.sample_period_ns);
    }
}

size_t tclk_explain_split(char *buffer, size_t size)
{
    struct tclk_text text = {.start = buffer, .size = size};
    add_split(&text);
    return text.length;
}

/* If perf events are refused, to the process or to single threads, threads are divided as by `smoothed`. */
static void add_sampled(struct tclk_text *text)
{
    int64_t period_ns = tclk_sample_period_ns(tclk_settings.sample_period_ns);
    struct tclk_verdict process = tclk_proof_samples_verdict(period_ns);
    struct tclk_verdict thread;
    uint32_t refused = tclk_proof_threads_refused(&thread);
    tclk_text_add(text, "split sampled: ");
    tclk_text_add_verdict(text, process);
    if (process.refusal == TCLK_ACCEPTED) {
        tclk_text_add(text, ", a sample each %lld.%lld us of CPU time\n", (long long)(period_ns / 1000),
                      (long long)(period_ns % 1000 / 100));
    } else {
        tclk_text_add(text, "; smoothed is used instead\n");
    }
    if (refused > 0) {
        tclk_text_add(text, "split sampled, %u threads: ", refused);
        tclk_text_add_verdict(text, thread);
        tclk_text_add(text, "; smoothed is used instead\n");
    }
}

/* Says how many threads have bouts, and how many cannot have any. */
static void add_bouts(struct tclk_text *text)
{
    struct tclk_stats stats;
    struct tclk_verdict thread;
    struct tclk_verdict process = tclk_proof_samples_verdict(TCLK_BOUT_PERIOD_LEAST_NS);
    tclk_record_sum(&stats);
    if (process.refusal == TCLK_ACCEPTED) {
        tclk_text_add(text, "split smoothed: %u threads are sampled at times\n",
                      (unsigned)(stats.threads_suspected - stats.threads_unsampled));
    }
    if (stats.threads_unsampled > 0) {
        tclk_proof_threads_refused(&thread);
        tclk_text_add(text, "split smoothed: %u threads cannot be sampled: ", (unsigned)stats.threads_unsampled);
        tclk_text_add_verdict(text, process.refusal == TCLK_ACCEPTED ? thread : process);
        tclk_text_add(text, "; their clock ticks are used instead\n");
    }
}

/* Nothing is said of them to a program that does not ask for them. */
static void add_waits(struct tclk_text *text)
{
    struct tclk_verdict verdict = tclk_proof_verdict(TCLK_SUBJECT_WAITS);
    if (verdict.refusal != TCLK_NOT_TRIED) {
        tclk_text_add(text, "waits: ");
        tclk_text_add_verdict(text, verdict);
        tclk_text_add(text, "\n");
    }
}

size_t tclk_explain_clock(char *buffer, size_t size)
{
    struct tclk_text text = {.start = buffer, .size = size};
    enum tclk_source source = tclk_source_ensured();
    tclk_text_add(&text, "source %s, split ", tclk_source_name(source));
    add_split(&text);
    tclk_text_add(&text, ", window %lld us\n", (long long)(tclk_settings.window_ns / 1000));
    if (tclk_filter_forbids()) {
        tclk_text_add(
            &text,
            "this process's seccomp filter may kill for readings; allow all clocks of clock_gettime, getrusage and "
            "openat: until then each thread tells its own CPU time alone\n");
    }
    if (tclk_settings.split == TCLK_SPLIT_SAMPLED) {
        add_sampled(&text);
    }
    if (tclk_settings.split == TCLK_SPLIT_SMOOTHED) {
        add_bouts(&text);
    }
    for (enum tclk_source other = TCLK_SOURCE_RSEQ; other <= TCLK_SOURCE_LAST; other++) {
        if (other == source || tclk_proof_verdict(other).refusal != TCLK_NOT_TRIED) {
            add_source(&text, other);
        }
    }
    add_waits(&text);
    return text.length;
}

size_t tclk_explain_source(enum tclk_source source, char *buffer, size_t size)
{
    struct tclk_text text = {.start = buffer, .size = size};
    if ((unsigned)source > TCLK_SOURCE_LAST) {
        tclk_text_add(&text, "no such source");
    } else {
        tclk_text_add_verdict(&text, tclk_proof_verdict(source));
    }
    return text.length;
}
