/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/source.h"

#include "clock/proof.h"
#include "kernel/clockid.h"
#include "kernel/filter.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t demotions;
static bool announcing;

static enum tclk_source next(bool (*proved)(unsigned))
{
    return proved(TCLK_SOURCE_PERF) ? TCLK_SOURCE_PERF : proved(TCLK_SOURCE_IDS) ? TCLK_SOURCE_IDS : TCLK_SOURCE_CLOCK;
}

static enum tclk_source best(void)
{
    return tclk_proof_of(TCLK_SOURCE_RSEQ) ? TCLK_SOURCE_RSEQ : next(tclk_proof_of);
}

/* `auto` is not a source, and `clock` is what remains when everything else is refused. */
static bool may_be_replaced(enum tclk_source source)
{
    return source != TCLK_SOURCE_AUTO && source != TCLK_SOURCE_CLOCK;
}

/* A proof may be withdrawn, and another source chosen, at any time. A thread that does either checks both
 * afterwards, and does not replace what another thread has chosen meanwhile. */
static void replace_unproved(bool (*proved)(unsigned))
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    enum tclk_source source = tclk_source_in_use();
    while (may_be_replaced(source) && !proved(source)) {
        enum tclk_source following = next(proved);
        if (atomic_compare_exchange_strong(&tclk_settings.source, &source, following)) {
            source = following;
        }
    }
}

static void use(enum tclk_source source)
{
    tclk_settings.source = source;
    replace_unproved(tclk_proof_of);
}

static void measure_kernel(void)
{
    static bool measured;
    if (!measured) {
        measured = true;
        tclk_settings.tick_ns = tclk_clock_tick_ns();
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
        use(best());
    }
    tclk_proof_end();
}

enum tclk_source tclk_source_ensured(void)
{
    int saved = errno;
    tclk_source_ensure();
    errno = saved;
    enum tclk_source source = tclk_source_in_use();
    return source == TCLK_SOURCE_AUTO ? TCLK_SOURCE_CLOCK : source;
}

static bool is_default_or(int64_t ns, int64_t least_ns, int64_t most_ns)
{
    return ns == 0 || (ns >= least_ns && ns <= most_ns);
}

static bool is_valid(const struct tclk_config *config)
{
    return (unsigned)config->source <= TCLK_SOURCE_LAST && (unsigned)config->split <= TCLK_SPLIT_LAST &&
           is_default_or(config->window_ns, TCLK_WINDOW_MIN_NS, TCLK_WINDOW_MAX_NS) &&
           is_default_or(config->sample_period_ns, TCLK_SAMPLE_PERIOD_MIN_NS, TCLK_SAMPLE_PERIOD_MAX_NS);
}

static int64_t period_asked_ns(const struct tclk_config *config)
{
    return config->sample_period_ns != 0 ? config->sample_period_ns : TCLK_SAMPLE_PERIOD_MIN_NS;
}

/* A source that is asked for by name is tried at any cost. */
static bool prove_named(const struct tclk_config *config)
{
    tclk_filter_insist(true);
    bool proved = tclk_proof_of(config->source != TCLK_SOURCE_AUTO ? config->source : TCLK_SOURCE_CLOCK);
    if (proved && config->split == TCLK_SPLIT_SAMPLED &&
        tclk_proof_of_samples(tclk_sample_period_ns(period_asked_ns(config)))) {
        tclk_proof_of(TCLK_SUBJECT_SAMPLE_PAGE);
    }
    tclk_filter_insist(false);
    return proved;
}

/* Threads that are sampled stay so until they end. */
static bool is_fixed(const struct tclk_config *config)
{
    return tclk_settings.split == TCLK_SPLIT_SAMPLED &&
           tclk_proof_samples_verdict(tclk_sample_period_ns(tclk_settings.sample_period_ns)).refusal == TCLK_ACCEPTED &&
           (config->split != TCLK_SPLIT_SAMPLED || period_asked_ns(config) != tclk_settings.sample_period_ns);
}

static int configure(const struct tclk_config *config)
{
    if (is_fixed(config)) {
        return -EALREADY;
    }
    bool by_name = config->source != TCLK_SOURCE_AUTO;
    measure_kernel();
    if (!prove_named(config)) {
        return -ENOTSUP;
    }
    tclk_settings.sample_period_ns = period_asked_ns(config);
    tclk_settings.split = config->split;
    tclk_settings.window_ns = config->window_ns != 0 ? config->window_ns : TCLK_WINDOW_DEFAULT_NS;
    tclk_settings.by_name = by_name;
    use(by_name ? config->source : best());
    return 0;
}

int tclk_source_configure(const struct tclk_config *config)
{
    if (!is_valid(config)) {
        return -EINVAL;
    }
    if (!tclk_proof_begin()) {
        return tclk_filter_forbids() ? -ENOTSUP : -EBUSY;
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

static void announce(const char *subject, const char *what)
{
    struct line line = {.length = 0};
    if (announcing) {
        line_add(&line, "threadclock: ");
        line_add(&line, subject);
        line_add(&line, what);
        /* A bare system call, which is no cancellation point: kernel/file.h. */
        long written = syscall(SYS_write, STDERR_FILENO, line.text, line.length);
        (void)written; /* the error cannot be reported anywhere */
    }
}

static void announce_missed_switch(enum tclk_source source)
{
    struct line name = {.length = 0};
    line_add(&name, "source ");
    line_add(&name, tclk_source_name(source));
    name.text[name.length] = '\0';
    announce(name.text, " missed a context switch and is not used any more; "
                        "please report the kernel's version\n");
}

/* A source is demoted once, by the first thread that withdraws its proof. It is not proved again, so that another
 * source is next. */
void tclk_source_demote(enum tclk_source source)
{
    if (!tclk_proof_revoke(source, TCLK_REFUSED_DEMOTED)) {
        return;
    }
    __atomic_fetch_add(&demotions, 1u, __ATOMIC_RELAXED);
    replace_unproved(tclk_proof_try);
    announce_missed_switch(source);
}

/* Withdraws the counter first, so that later proofs are refused because of it. A proof that another thread makes at
 * this moment is withdrawn when the kernel is asked next. */
void tclk_source_give_counter_up(void)
{
    static const unsigned subjects[] = {TCLK_SUBJECT_COUNTER, TCLK_SOURCE_RSEQ, TCLK_SOURCE_PERF, TCLK_SOURCE_IDS};
    bool withdrawn = false;
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
        withdrawn |= tclk_proof_revoke(subjects[i], TCLK_REFUSED_COUNTER_GIVEN_UP);
    }
    if (withdrawn) {
        replace_unproved(tclk_proof_try);
        announce("the kernel has given up the time-stamp counter", "; reads are system calls from now on\n");
    }
}
