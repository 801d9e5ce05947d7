/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the page of a perf event: its lock word moves with the thread's switches, and it leaves nothing behind. */

#include "perf.h"

#include "clocks.h"
#include "cpus.h"
#include "kernel/probe.h"
#include "kind.h"
#include "process.h"
#include "seccomp.h"
#include "sources.h"

#include <sys/mman.h>
#include <tap.h>

#define TRIES 100
#define TRIES_MOST 500 /* on a busy machine other threads switch this one out in many of them */
#define LOST_PERCENT 6
#define SPIN_NS (5 * MS)

static volatile struct tclk_perf_page *page;
static int cpu;

struct outcome {
    int tries;
    int kept;
};

/* The lock moves when the thread is switched in, so the lock is read before the switches are counted, and after. */
static struct outcome after(void (*what)(void), bool switching)
{
    struct outcome outcome = {0, 0};
    for (int i = 0; outcome.tries < TRIES && i < TRIES_MOST; i++) {
        uint64_t lock = page->lock_and_index;
        int64_t before = switches_now();
        bool begun = page->lock_and_index == lock;
        what();
        bool kept = page->lock_and_index == lock;
        if (begun && (switches_now() != before) == switching) {
            outcome.tries++;
            outcome.kept += kept && (!switching || page->lock_and_index == lock);
        }
    }
    return outcome;
}

static void moves_by(void (*what)(void), const char *sentence)
{
    struct outcome outcome = after(what, true);
    ok(outcome.tries > 0 && outcome.kept == 0, "%s", sentence);
    diag("kept in %d of %d", outcome.kept, outcome.tries);
}

static void stays_by(void (*what)(void), const char *sentence)
{
    struct outcome outcome = after(what, false);
    int lost = outcome.tries - outcome.kept;
    ok(outcome.tries > 0 && lost * 100 <= outcome.tries * LOST_PERCENT, "%s", sentence);
    diag("kept in %d of %d", outcome.kept, outcome.tries);
}

static void compute(void)
{
    spin_wall_ns(SPIN_NS);
}

static void compute_shortly(void)
{
    spin_wall_ns(200 * US);
}

static void move_to_same_cpu(void)
{
    cpu_pin(0, cpu);
}

static void beside_a_spinner(void)
{
    struct spinner spinner;
    cpu_pin(0, cpu);
    spinner_start(&spinner, cpu);
    moves_by(compute, "it moves when the thread is switched out while computing");
    spinner_stop(&spinner);
}

static void sleep_shortly(void)
{
    tclk_probe_sleep(20 * US);
}

static void detects(void)
{
    stays_by(tclk_probe_call, "the lock stays at a system call that switches nothing");
    stays_by(compute_shortly, "it stays while the thread computes, ticks and all");
    moves_by(sleep_shortly, "it moves at a sleep");
    stays_by(move_to_same_cpu, "it stays when the thread is told to stay where it is");
    beside_a_spinner();
}

/* ---- what is left behind ---- */

static void leaves_nothing(void)
{
    struct tclk_perf_page *another;
    enum tclk_perf_step step;
    int descriptors = open_descriptors();
    int mappings = perf_mappings();
    int error = tclk_perf_page_map(&another, &step);
    is_ns(error, 0, "a thread may have several pages");
    is_ns(open_descriptors(), descriptors, "no descriptor stays open");
    is_ns(perf_mappings(), mappings + 1, "one page is mapped");
    tclk_perf_page_unmap(another);
    is_ns(perf_mappings(), mappings, "and none when it is unmapped");
}

static void *page_of_second_thread(void *unused)
{
    tclk_thread_cpu_ns();
    is_ns(perf_mappings(), *(int *)unused + 1, "a thread that reads from perf has a page");
    return unused;
}

static void ends_with_its_thread(void)
{
    pthread_t thread;
    int mappings = perf_mappings();
    if (!source_use(TCLK_SOURCE_PERF)) {
        return;
    }
    pthread_create(&thread, NULL, page_of_second_thread, &mappings);
    pthread_join(thread, NULL);
    is_ns(perf_mappings(), mappings, "which ends with it");
}

/* ---- refusals ---- */

static void refuses_opening(int answer, const char *name)
{
    struct tclk_perf_page *none = NULL;
    enum tclk_perf_step step = TCLK_PERF_MMAP;
    struct tclk_config config = {.source = TCLK_SOURCE_PERF};
    char reason[256];
    char expected[64];
    if (!seccomp_refuse(SYS_perf_event_open, answer)) {
        skip("a filter that refuses perf_event_open is told of", SECCOMP_MISSING);
        return;
    }
    is_ns(tclk_perf_page_map(&none, &step), -answer, "a filter's %s is what mapping returns", name);
    ok(step == TCLK_PERF_OPEN && none == NULL, "the step of opening is reported, and there is no page");
    is_ns(tclk_clock_configure(&config), -ENOTSUP, "the source perf is refused");
    tclk_source_explain(TCLK_SOURCE_PERF, reason, sizeof reason);
    snprintf(expected, sizeof expected, "perf_event_open refused: %s (%d)", name, answer);
    ok(strstr(reason, expected) != NULL, "and says so: %s", reason);
    ok(tclk_thread_cpu_ns() >= 0, "readings go on from another source");
}

static void refuses_with_eacces(void)
{
    refuses_opening(EACCES, "EACCES");
}

static void refuses_with_eperm(void)
{
    refuses_opening(EPERM, "EPERM");
}

static void refuses_with_enosys(void)
{
    refuses_opening(ENOSYS, "ENOSYS");
}

/* A limit of locked memory has this effect: the event is opened, but not mapped. */
static void refuses_mapping(void)
{
    struct tclk_perf_page *none = NULL;
    enum tclk_perf_step step = TCLK_PERF_OPEN;
    struct tclk_config config = {.source = TCLK_SOURCE_PERF};
    char reason[256];
    int descriptors = open_descriptors();
    if (!seccomp_refuse_with(SYS_mmap, 3, MAP_SHARED, EPERM)) {
        skip("a page that cannot be mapped is told of", SECCOMP_MISSING);
        return;
    }
    is_ns(tclk_perf_page_map(&none, &step), -EPERM, "a page that cannot be mapped is not there");
    ok(step == TCLK_PERF_MMAP && none == NULL, "the step of mapping is reported");
    is_ns(open_descriptors(), descriptors, "its descriptor is closed all the same");
    is_ns(tclk_clock_configure(&config), -ENOTSUP, "the source perf is refused");
    tclk_source_explain(TCLK_SOURCE_PERF, reason, sizeof reason);
    ok(strstr(reason, "mmap of the perf page refused: EPERM (1)") != NULL, "and says so: %s", reason);
}

static void paranoid_is_told(void)
{
    int level = 4711;
    int expected = 4711;
    FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
    if (file == NULL || fscanf(file, "%d", &expected) != 1) {
        skip("kernel.perf_event_paranoid is told", "that file in /proc");
    } else {
        is_ns(tclk_perf_paranoid(&level), 0, "kernel.perf_event_paranoid is told");
        is_ns(level, expected, "as it is");
    }
    if (file != NULL) {
        fclose(file);
    }
}

int main(void)
{
    char reason[128];
    in_child(refuses_with_eacces);
    in_child(refuses_with_eperm);
    in_child(refuses_with_enosys);
    paranoid_is_told();
    cpus_allowed(&cpu, 1);
    page = perf_page_or_reason(reason, sizeof reason);
    if (page == NULL) {
        skip("the lock moves with the thread's switches", reason);
        return done();
    }
    in_child(refuses_mapping);
    if (kind_judges_timing("the lock moves with the thread's switches")) {
        detects();
    }
    leaves_nothing();
    ends_with_its_thread();
    return done();
}
