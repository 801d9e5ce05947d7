/* SPDX-License-Identifier: Apache-2.0 */

/* Where the kernel's clock is the counter alone (cap_user_time; not in guests of KVM), a perf page tells how a
 * thread's time follows from the counter. This is another way to the same CPU time. It shows that ours is right
 * there, too, and that such pages, which hold more, detect as well. */

#include "clock/counter.h"
#include "clock/selftest.h"
#include "perf.h"
#include "real.h"

#include <linux/perf_event.h>

#define TIME_MISSING "cap_user_time: perf pages that tell the time"
#define TRIES 100
#define TRIES_MOST 2000

static struct tclk_perf_page *page;

/* perf_event_open(2), "time_mult, time_shift, time_offset". */
static int64_t page_ns(void)
{
    const volatile struct perf_event_mmap_page *told = (const volatile struct perf_event_mmap_page *)page;
    uint32_t lock;
    uint64_t ns;
    do {
        lock = told->lock;
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        uint64_t counts = tclk_counter_read();
        uint64_t whole = counts >> told->time_shift;
        uint64_t rest = counts & ((UINT64_C(1) << told->time_shift) - 1);
        ns = told->time_running + told->time_offset + whole * told->time_mult +
             ((rest * told->time_mult) >> told->time_shift);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    } while (told->lock != lock);
    return (int64_t)ns;
}

/* At a switch the kernel reads its clock twice, for the thread and for the event; a hypervisor's steal in between is
 * in one of the two. Therefore only stretches without a switch are compared. The bound is the time that passes on
 * the page while this much passes on another clock, which is read before and after. The page's scale and ours are
 * each good to some 100 ppm. */
#define SCALE_DIVISOR 1000

struct span {
    int64_t page_ns;
    int64_t inner_ns;
    int64_t outer_ns;
};

static struct span span_of(int64_t (*clock)(void), int64_t cpu_ns)
{
    struct span span;
    int64_t outer_ns = clock();
    int64_t before_ns = page_ns();
    int64_t inner_ns = clock();
    spin_cpu_ns(cpu_ns);
    span.inner_ns = clock() - inner_ns;
    span.page_ns = page_ns() - before_ns;
    span.outer_ns = clock() - outer_ns;
    return span;
}

static void agrees(int64_t (*clock)(void), const char *whose)
{
    int64_t wrong = 0;
    int n = 0;
    struct span shown = {0}; /* a wrong one, if there is any */
    for (int i = 0; n < TRIES && i < TRIES_MOST; i++) {
        int64_t switches = switches_now();
        struct span span = span_of(clock, i % 8 * MS / 2);
        if (switches_now() != switches) {
            continue;
        }
        n++;
        int64_t slack_ns = 2 * witness_slack_ns() + span.outer_ns / SCALE_DIVISOR;
        bool is_wrong = span.page_ns < span.inner_ns - slack_ns || span.page_ns > span.outer_ns + slack_ns;
        shown = is_wrong || wrong == 0 ? span : shown;
        wrong += is_wrong;
    }
    is_ns(n, TRIES, "%d times the thread was not switched out", TRIES);
    /* As in witness.h: a host's hand at the wrong moment. */
    ok(wrong <= WITNESS_CHANCE, "CPU time as the page tells it passes with %s", whose);
    diag("%" PRId64 " wrong; %s time: %" PRId64 " <= %" PRId64 " <= %" PRId64, wrong,
         wrong > 0 ? "a wrong" : "the last", shown.inner_ns, shown.page_ns, shown.outer_ns);
}

static void detects(void)
{
    struct tclk_selftest test = tclk_selftest_run(tclk_detector_of_page(page));
    ok(tclk_selftest_passed(test), "a page that tells the time detects as well");
    diag("%d sleeps, %d unnoticed, %d of %d calls kept it", test.sleeps, test.missed, test.kept, TCLK_SELFTEST_CALLS);
}

int main(void)
{
    char reason[128];
    page = perf_page_or_reason(reason, sizeof reason);
    if (skips(page == NULL, "a page tells the time", reason)) {
        return done();
    }
    if (skips(!((struct perf_event_mmap_page *)page)->cap_user_time, "a page tells the time", TIME_MISSING)) {
        return done();
    }
    detects();
    agrees(kernel_cpu_ns, "the kernel's");
    if (source_use(TCLK_SOURCE_PERF)) {
        agrees(tclk_thread_cpu_ns, "ours from another page");
    }
    return done();
}
