/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/source.h"

#include "clock/accounting.h"
#include "clock/proof.h"
#include "clock/sampler.h"
#include "kernel/clockid.h"
#include "kernel/filter.h"

#include <errno.h>
#include <unistd.h>

#define WINDOW_DEFAULT_NS INT64_C(4000000)
#define WINDOW_MIN_NS INT64_C(100000)
#define WINDOW_MAX_NS INT64_C(100000000)

struct tclk_settings tclk_settings = {
    .source = TCLK_SOURCE_AUTO,
    .split = TCLK_SPLIT_SMOOTHED,
    .window_ns = WINDOW_DEFAULT_NS,
    .tick_ns = WINDOW_DEFAULT_NS,
};

static uint64_t demotions;
static bool announcing;

static enum tclk_source best(void)
{
    return tclk_proof_of(TCLK_SOURCE_RSEQ)   ? TCLK_SOURCE_RSEQ
           : tclk_proof_of(TCLK_SOURCE_PERF) ? TCLK_SOURCE_PERF
           : tclk_proof_of(TCLK_SOURCE_IDS)  ? TCLK_SOURCE_IDS
                                             : TCLK_SOURCE_CLOCK;
}

static void measure_kernel(void)
{
    static bool measured;
    if (!measured) {
        measured = true;
        tclk_settings.tick_ns = tclk_clock_tick_ns();
        tclk_settings.precise = tclk_accounting_is_precise();
    }
}

void tclk_source_ensure(void)
{
    if (tclk_source_in_use() != TCLK_SOURCE_AUTO || !tclk_proof_begin()) {
        return;
    }
    if (tclk_source_in_use() == TCLK_SOURCE_AUTO) {
        measure_kernel();
        tclk_proof_of(TCLK_SOURCE_CLOCK);
        tclk_settings.source = best();
    }
    tclk_proof_end();
}

static bool is_valid(const struct tclk_config *config)
{
    return (unsigned)config->source <= TCLK_SOURCE_LAST &&
           (unsigned)config->split <= TCLK_SPLIT_LAST &&
           (config->window_ns == 0 ||
            (config->window_ns >= WINDOW_MIN_NS && config->window_ns <= WINDOW_MAX_NS));
}

/* What is asked for by name is tried at any price. */
static bool prove_named(const struct tclk_config *config)
{
    tclk_filter_insist(true);
    bool proved =
        tclk_proof_of(config->source != TCLK_SOURCE_AUTO ? config->source : TCLK_SOURCE_CLOCK);
    if (proved && config->split == TCLK_SPLIT_SAMPLED) {
        tclk_sampler_prove();
    }
    tclk_filter_insist(false);
    return proved;
}

static int configure(const struct tclk_config *config)
{
    bool by_name = config->source != TCLK_SOURCE_AUTO;
    measure_kernel();
    if (!prove_named(config)) {
        return -ENOTSUP;
    }
    tclk_settings.split = config->split;
    tclk_settings.window_ns = config->window_ns != 0 ? config->window_ns : WINDOW_DEFAULT_NS;
    tclk_settings.counts_reads = config->counts_reads;
    tclk_settings.by_name = by_name;
    tclk_settings.source = by_name ? config->source : best();
    return 0;
}

int tclk_source_configure(const struct tclk_config *config)
{
    if (!is_valid(config)) {
        return -EINVAL;
    }
    if (!tclk_proof_begin()) {
        return -EBUSY;
    }
    int error = configure(config);
    tclk_proof_end();
    return error;
}

uint64_t tclk_source_demotions(void)
{
    return __atomic_load_n(&demotions, __ATOMIC_RELAXED);
}

void tclk_source_announce_demotions(bool announce)
{
    announcing = announce;
}

struct line {
    char text[128];
    size_t length;
};

static void line_add(struct line *line, const char *text)
{
    for (; *text != '\0' && line->length < sizeof line->text; text++) {
        line->text[line->length++] = *text;
    }
}

static void announce(enum tclk_source from)
{
    struct line line = {.length = 0};
    line_add(&line, "threadclock: source ");
    line_add(&line, tclk_source_name(from));
    line_add(&line, " missed a context switch and is not used any more; "
                    "please report the kernel's version\n");
    ssize_t written = write(STDERR_FILENO, line.text, line.length);
    (void)written; /* nowhere to tell that the telling failed */
}

/* A source is demoted once: whoever withdraws its proof first does the rest. It is not proved again, so
 * that the next one is another. */
void tclk_source_demote(enum tclk_source source)
{
    if (!tclk_proof_revoke(source)) {
        return;
    }
    __atomic_fetch_add(&demotions, 1u, __ATOMIC_RELAXED);
    tclk_settings.source = tclk_proof_try(TCLK_SOURCE_PERF)  ? TCLK_SOURCE_PERF
                           : tclk_proof_try(TCLK_SOURCE_IDS) ? TCLK_SOURCE_IDS
                                                             : TCLK_SOURCE_CLOCK;
    if (announcing) {
        announce(source);
    }
}
