/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the ring of a sampling perf event: how its samples are counted, and that it leaves nothing behind. */

#include "kernel/probe.h"
#include "kernel/raw_clock.h"
#include "kernel/sample_page.h"
#include "perf.h"
#include "real.h"

#include <linux/perf_event.h>

#define PERIOD_NS (100 * US)

/* ---- a ring that the test writes ---- */

#if defined(__x86_64__)

#define SLOT UINT64_C(32)
#define DATA UINT64_C(4096)

struct ring {
    struct perf_event_mmap_page head;
    char rest[4096 - sizeof(struct perf_event_mmap_page)];
    struct {
        struct perf_event_header header;
        uint64_t abi;
        uint64_t cx;
        uint64_t ip;
    } slots[DATA / SLOT];
};

static struct ring ring;
static uint64_t written;

static void write_slot(uint32_t type, uint64_t cx, uint64_t ip)
{
    uint64_t at = written / SLOT % (DATA / SLOT);
    ring.slots[at].header = (struct perf_event_header){type, PERF_RECORD_MISC_USER, SLOT};
    ring.slots[at].abi = PERF_SAMPLE_REGS_ABI_64;
    ring.slots[at].cx = cx;
    ring.slots[at].ip = ip;
    written += SLOT;
}

static uint64_t count_since(uint64_t from)
{
    return tclk_sample_page_count((const struct tclk_sample_page *)(const void *)&ring, from, written);
}

static void empty_ring(void)
{
    memset(&ring, 0, sizeof ring);
    ring.head.data_offset = 4096;
    ring.head.data_size = DATA;
    written = 0;
}

static void counts_user_samples(void)
{
    empty_ring();
    is_ns(count_since(0), 0, "nothing written is no sample");
    for (int i = 0; i < 7; i++) {
        write_slot(PERF_RECORD_SAMPLE, 1, 2);
    }
    is_ns(count_since(0), 7, "seven samples are seven");
    is_ns(count_since(5 * SLOT), 2, "two of them have come since the fifth");
    is_ns(count_since(written), 0, "and none since the last");
    write_slot(PERF_RECORD_SAMPLE, 0x401000, 0x401000);
    is_ns(count_since(0), 7, "one at the way out of a system call (RIP = RCX) is system time");
    write_slot(PERF_RECORD_THROTTLE, 1, 2);
    is_ns(count_since(0), 7, "a record of throttling is no sample");
}

static void wraps_around(void)
{
    empty_ring();
    for (int i = 0; i < 1000; i++) {
        write_slot(PERF_RECORD_SAMPLE, i % 10 == 0 ? 2 : 1, 2);
    }
    is_ns(count_since(950 * SLOT), 45, "across the ring's end: 45 of 50");
    uint64_t all = count_since(0);
    ok(all > 880 && all < 920, "of 1000, most of them written over, 900: %d", (int)all);
    written = UINT64_MAX / DATA * DATA - 10 * SLOT;
    uint64_t from = written;
    for (int i = 0; i < 20; i++) {
        write_slot(PERF_RECORD_SAMPLE, 1, 2);
    }
    is_ns(count_since(from), 20, "across the head's own end");
}

#endif

/* ---- a ring that the kernel writes ---- */

static struct tclk_sample_page *map_or_skip(const char *sentence, int limit)
{
    struct tclk_sample_page *page = NULL;
    enum tclk_perf_step step;
    int error = tclk_sample_page_map(&page, PERIOD_NS, limit, &step);
    if (error != 0) {
        skip(sentence, "a sampling perf event");
    }
    return page;
}

static double seen_of(const struct tclk_sample_page *page, void (*work)(int64_t), int64_t amount)
{
    uint64_t head = tclk_sample_page_head(page);
    int64_t before_ns = kernel_cpu_ns();
    uint64_t users = 0;
    for (int i = 0; i < 50; i++) {
        work(amount);
        uint64_t now = tclk_sample_page_head(page);
        users += tclk_sample_page_count(page, head, now);
        head = now;
    }
    return (double)users * PERIOD_NS / (double)(kernel_cpu_ns() - before_ns);
}

/* A hypervisor that leaves no time for samples loses them, so this takes the measurement that has lost least, and goes
 * on for a minute until one has lost few. There are never too many samples. */
#define MEASUREMENTS_PATIENCE_NS (60 * S)

static double most_seen_of(const struct tclk_sample_page *page, void (*work)(int64_t), int64_t amount, double enough)
{
    double most = 0;
    int64_t until_ns = wall_ns() + MEASUREMENTS_PATIENCE_NS;
    do {
        double seen = seen_of(page, work, amount);
        most = seen > most ? seen : most;
    } while (most < enough && wall_ns() < until_ns);
    return most;
}

#if defined(__x86_64__)
static void call(int64_t times)
{
    for (int64_t i = 0; i < times; i++) {
        syscall(SYS_getppid);
    }
}
#endif

static void samples_user_mode(void)
{
    struct tclk_sample_page *page = map_or_skip("a kernel's samples are counted", 0);
    if (page == NULL) {
        return;
    }
    double user = most_seen_of(page, spin_times, 2000000, 0.9);
    ok(user > 0.9 && user < 1.1, "computing is found in user mode: %.3f of its CPU time", user);
#if defined(__x86_64__)
    double system = seen_of(page, call, 10000);
    ok(!KIND_IS_PLAIN || system < 0.25, "a loop of getppid in the kernel: %.3f user", system);
#endif
    tclk_sample_page_unmap(page);
}

static void lock_tells_of_switches(void)
{
    int kept = 0;
    int lost = 0;
    struct tclk_sample_page *page = map_or_skip("its lock moves at a switch", 0);
    if (page == NULL) {
        return;
    }
    volatile uint64_t *lock = &tclk_sample_page_lock(page)->lock_and_index;
    for (int i = 0; i < 100; i++) {
        int64_t switches = switches_now();
        uint64_t before = *lock;
        tclk_probe_sleep(20000);
        kept += *lock == before && switches_now() != switches;
        switches = switches_now();
        before = *lock;
        spin_times(1000000);
        lost += *lock != before && switches_now() == switches;
    }
    is_ns(kept, 0, "its lock moves at each sleep");
    is_ns(lost, 0, "and at no sample");
    tclk_sample_page_unmap(page);
}

static void leaves_nothing(void)
{
    int64_t descriptors = leftovers_descriptors();
    int64_t mappings = leftovers_pages();
    struct tclk_sample_page *page = map_or_skip("it leaves nothing behind", 0);
    if (page != NULL) {
        is_ns(leftovers_descriptors(), descriptors, "no descriptor stays open");
        tclk_sample_page_unmap(page);
        is_ns(leftovers_pages(), mappings, "no mapping is left");
    }
}

static void limit_is_told(void)
{
    int rate = 0;
    if (!skips(tclk_sample_rate_max(&rate) != 0, "kernel.perf_event_max_sample_rate is told", "that file in /proc")) {
        ok(rate > 0, "kernel.perf_event_max_sample_rate is told: %d", rate);
    }
}

#define LIMIT 5

/* The records since `*at`; `*raw_ns` is the time of the last one. */
static int64_t records(const struct tclk_sample_page *page, uint64_t *at, int64_t *raw_ns)
{
    struct tclk_sample sample;
    int64_t count = 0;
    while (tclk_sample_page_next(page, at, &sample)) {
        ok(sample.raw_ns > *raw_ns, "a record is later than the one before");
        *raw_ns = sample.raw_ns;
        count++;
    }
    return count;
}

/* On a host that withholds the CPU, the timer may fire once for several periods. This waits by CPU time. */
static void ends_at_its_limit(void)
{
    uint64_t at = 0;
    int64_t raw_ns = (int64_t)tclk_raw_clock_ns();
    struct tclk_sample_page *page = map_or_skip("a limited event ends at its limit", LIMIT);
    if (page == NULL) {
        return;
    }
    int64_t until_ns = kernel_cpu_ns() + S;
    int64_t count = 0;
    while ((count += records(page, &at, &raw_ns)) < LIMIT && kernel_cpu_ns() < until_ns) {
        spin_wall_ns(MS);
    }
    spin_wall_ns(20 * MS);
    is_ns(count + records(page, &at, &raw_ns), LIMIT, "a limited event ends at its limit");
    ok(raw_ns <= (int64_t)tclk_raw_clock_ns(), "its records have the time");
    tclk_sample_page_unmap(page);
}

int main(void)
{
#if defined(__x86_64__)
    counts_user_samples();
    wraps_around();
#endif
    leaves_nothing();
    limit_is_told();
    if (kind_judges_timing("the kernel writes samples, which tell user mode from the kernel")) {
        samples_user_mode();
        lock_tells_of_switches();
        ends_at_its_limit();
    }
    return done();
}
