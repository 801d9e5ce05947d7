/* SPDX-License-Identifier: Apache-2.0 */
#include "doctor/examination.h"

#include "clock/counter.h"
#include "clock/explain.h"
#include "clock/first_copy.h"
#include "clock/proof.h"
#include "clock/scale.h"
#include "clock/source.h"
#include "kernel/clockid.h"
#include "kernel/perf_page.h"
#include "kernel/probe.h"
#include "kernel/raw_clock.h"
#include "kernel/rseq_area.h"

#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#ifndef AT_RSEQ_FEATURE_SIZE
#define AT_RSEQ_FEATURE_SIZE 27 /* since Linux 6.3 */
#endif

/* Takes the least of this many rounds, because anything else that runs makes a round longer, never shorter. */
#define ROUNDS 15
#define CALLS_A_ROUND 300

/* For slow sources, which open files: a few µs a read. */
#define SLOW_CALLS_A_ROUND 20

#define TICKS_SEEN 10
#define TICKS_LONGEST_NS INT64_C(500000000)

static const char *reason_of(struct tclk_verdict verdict)
{
    return tclk_refusal_word(verdict.refusal);
}

static void read_clock(void)
{
    struct tclk_times times;
    tclk_thread_read(&times);
}

static void look_at_counter(void)
{
    tclk_counter_read();
}

static long long cost_ps(void (*call)(void), int calls)
{
    int64_t least_ns = INT64_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t begin_ns = tclk_boot_clock_ns();
        for (int i = 0; i < calls; i++) {
            call();
        }
        int64_t took_ns = tclk_boot_clock_ns() - begin_ns;
        least_ns = took_ns < least_ns ? took_ns : least_ns;
    }
    return least_ns * 1000 / calls;
}

/* ---- the kernel ---- */

/* Returns the shortest time for which the coarse clock stands still. It moves by one tick at each tick, or by several
 * if another thread had the CPU, which on a busy machine can be each of the first moves. */
static int64_t measured_tick_ns(int64_t tick_ns)
{
    int64_t begin_ns = tclk_boot_clock_ns();
    int64_t now_ns;
    int64_t last_ns = (int64_t)tclk_coarse_clock_ns();
    int64_t least_ns = 0;
    int moves = 0;
    while ((moves < TICKS_SEEN || least_ns > tick_ns * 3 / 2) && tclk_clock_read(CLOCK_BOOTTIME, &now_ns) == 0 &&
           now_ns - begin_ns < TICKS_LONGEST_NS) {
        int64_t moved_ns = (int64_t)tclk_coarse_clock_ns() - last_ns;
        if (moved_ns > 0) {
            moves++;
            last_ns += moved_ns;
            least_ns = least_ns == 0 || moved_ns < least_ns ? moved_ns : least_ns;
        }
    }
    return least_ns;
}

/* Adds the CPUs that do not tick while one thread runs, such as 1-3,5. A text that is not a list of CPUs is left
 * out. */
static void add_nohz_full(struct tclk_text *text)
{
    char cpus[64] = {0};
    int fd = open("/sys/devices/system/cpu/nohz_full", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t got = read(fd, cpus, sizeof cpus - 1);
        cpus[got > 0 ? strspn(cpus, "0123456789-,") : 0] = '\0';
        close(fd);
    }
    tclk_text_add(text, "nohz_full\t%s\n", cpus);
}

static void add_kernel(struct tclk_text *text)
{
    tclk_text_add(text, "version\t%s\n", tclk_version());
    int64_t tick_ns = tclk_clock_tick_ns();
    tclk_text_add(text, "tick\t%lld\t%lld\n", (long long)tick_ns, (long long)measured_tick_ns(tick_ns));
    add_nohz_full(text);
    tclk_text_add(text, "call\t%lld\n", cost_ps(tclk_probe_call, CALLS_A_ROUND));
    tclk_text_add(text, "rseq\t%u\t%lu\n", tclk_rseq_libcs_bytes(), getauxval(AT_RSEQ_FEATURE_SIZE));
}

static void add_perf(struct tclk_text *text)
{
    struct tclk_perf_page *page;
    enum tclk_perf_step step;
    int tells = -1;
    if (tclk_perf_page_map(&page, &step) == 0) {
        tells = tclk_perf_page_tells_time(page);
        tclk_perf_page_unmap(page);
    }
    tclk_text_add(text, "perf\t%d\n", tells);
}

/* ---- what is proved ---- */

/* The counter's number is that of the source `auto`, which nobody proves. */
static void add_words(struct tclk_text *text, unsigned subject)
{
    char words[256];
    tclk_source_explain((enum tclk_source)subject, words, sizeof words);
    tclk_text_add(text, "\t%s\n", words);
}

static void add_counter(struct tclk_text *text)
{
    bool sound = tclk_proof_try(TCLK_SUBJECT_COUNTER);
    uint64_t scale = tclk_calibration_scale();
    long long ps = sound ? cost_ps(look_at_counter, CALLS_A_ROUND) : 0;
    tclk_text_add(text, "counter\t%s\t%lld\t%llu", reason_of(tclk_proof_verdict(TCLK_SUBJECT_COUNTER)), ps,
                  scale != 0 ? (unsigned long long)tclk_scale_counts(1000000, scale) : 0);
    add_words(text, TCLK_SUBJECT_COUNTER);
}

static long long source_cost_ps(enum tclk_source source)
{
    struct tclk_config config = {.source = source};
    if (!tclk_proof_try(source) || tclk_clock_configure(&config) != 0) {
        return 0;
    }
    read_clock();
    return cost_ps(read_clock, source == TCLK_SOURCE_PROC ? SLOW_CALLS_A_ROUND : CALLS_A_ROUND);
}

static void add_source(struct tclk_text *text, enum tclk_source source)
{
    long long ps = source_cost_ps(source);
    tclk_text_add(text, "source\t%s\t%s\t%lld", tclk_source_name(source), reason_of(tclk_proof_verdict(source)), ps);
    add_words(text, source);
}

static void add_sampled(struct tclk_text *text)
{
    if (tclk_proof_begin()) {
        tclk_proof_of_samples(TCLK_SAMPLE_PERIOD_LEAST_NS);
        tclk_proof_end();
    }
    struct tclk_verdict verdict = tclk_proof_samples_verdict();
    tclk_text_add(text, "sampled\t%s\t", reason_of(verdict));
    tclk_text_add_verdict(text, verdict);
    tclk_text_add(text, "\n");
}

static void add_waits(struct tclk_text *text)
{
    tclk_proof_try(TCLK_SUBJECT_WAITS);
    struct tclk_verdict verdict = tclk_proof_verdict(TCLK_SUBJECT_WAITS);
    tclk_text_add(text, "waits\t%s\t", reason_of(verdict));
    tclk_text_add_verdict(text, verdict);
    tclk_text_add(text, "\n");
}

/* This copy is examined, even if another one is the clock of this process, which is the doctor's own. */
size_t tclk_examine(char *buffer, size_t size)
{
    const struct tclk_copy *first = tclk_first;
    struct tclk_text text = {.start = buffer, .size = size};
    tclk_first = NULL;
    struct tclk_config defaults = {.source = TCLK_SOURCE_AUTO};
    tclk_clock_configure(&defaults);
    add_kernel(&text);
    add_counter(&text);
    add_perf(&text);
    add_sampled(&text);
    add_waits(&text);
    for (enum tclk_source source = TCLK_SOURCE_RSEQ; source <= TCLK_SOURCE_LAST; source++) {
        add_source(&text, source);
    }
    tclk_clock_configure(&defaults);
    tclk_text_add(&text, "chosen\t%s\n", tclk_source_name(tclk_clock_source()));
    tclk_first = first;
    return text.length;
}
