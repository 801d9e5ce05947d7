/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/sample_page.h"

#include "kernel/file.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <asm/perf_regs.h>
#define SAMPLE_TYPE PERF_SAMPLE_REGS_USER
#define SAMPLE_REGS (UINT64_C(1) << PERF_REG_X86_CX | UINT64_C(1) << PERF_REG_X86_IP)
struct registers { /* in the order of their numbers */
    uint64_t abi;
    uint64_t cx;
    uint64_t ip;
};
#define IS_USER_SAMPLE(slot) ((slot)->header.type == PERF_RECORD_SAMPLE && (slot)->regs.ip != (slot)->regs.cx)
#else
#define SAMPLE_TYPE 0
#define SAMPLE_REGS 0
struct registers {
};
#define IS_USER_SAMPLE(slot) ((slot)->header.type == PERF_RECORD_SAMPLE)
#endif

/* A sample as the kernel writes it. */
struct slot {
    struct perf_event_header header;
    struct registers regs;
};

/* A sample of an event with a limit. */
struct timed_slot {
    struct perf_event_header header;
    uint64_t raw_ns;
    struct registers regs;
};

struct tclk_sample_page {
    struct perf_event_mmap_page head;
};

/* On x86_64, a record that reports throttling is as long as this slot. */
_Static_assert(sizeof(struct slot) == (SAMPLE_REGS != 0 ? 32 : 8), "header and three words, or a header alone");

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t ring_bytes(void)
{
    return 2 * page_bytes();
}

/* With a `limit` other than 0, the event is opened stopped, and its records have the time. */
static int open_event(int64_t period_ns, int limit)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof attr,
        .config = PERF_COUNT_SW_TASK_CLOCK,
        .sample_period = (uint64_t)period_ns,
        .sample_type = SAMPLE_TYPE | (limit != 0 ? PERF_SAMPLE_TIME : 0),
        .sample_regs_user = SAMPLE_REGS,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .disabled = limit != 0,
        .use_clockid = limit != 0,
        .clockid = CLOCK_MONOTONIC_RAW,
    };
    long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : (int)fd;
}

/* Starts the event, for this many samples. */
static int start(int fd, int limit)
{
    return limit == 0 || ioctl(fd, PERF_EVENT_IOC_REFRESH, limit) == 0 ? 0 : -errno;
}

static int map_ring(int fd, struct tclk_sample_page **page)
{
    void *memory = mmap(NULL, ring_bytes(), PROT_READ, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        return -errno;
    }
    *page = memory;
    return 0;
}

int tclk_sample_page_map(struct tclk_sample_page **page, int64_t period_ns, int limit, enum tclk_perf_step *step)
{
    *step = TCLK_PERF_OPEN;
    int permitted = tclk_perf_permit();
    int fd = permitted == 0 ? open_event(period_ns, limit) : permitted;
    if (fd < 0) {
        return fd;
    }
    int error = start(fd, limit);
    if (error == 0) {
        *step = TCLK_PERF_MMAP;
        error = map_ring(fd, page);
    }
    tclk_file_close(fd);
    return error;
}

void tclk_sample_page_unmap(struct tclk_sample_page *page)
{
    munmap(page, ring_bytes());
}

struct tclk_perf_page *tclk_sample_page_lock(struct tclk_sample_page *page)
{
    return (struct tclk_perf_page *)page;
}

/* The kernel writes on this CPU, in an interrupt of this thread, so program order is enough. */
uint64_t tclk_sample_page_head(const struct tclk_sample_page *page)
{
    return __atomic_load_n(&page->head.data_head, __ATOMIC_ACQUIRE);
}

/* An interrupt may overwrite one or two of the oldest slots while they are read. */
#define SLOTS_IN_DOUBT 4

uint64_t tclk_sample_page_count(const struct tclk_sample_page *page, uint64_t from, uint64_t to)
{
    const char *ring = (const char *)page + page->head.data_offset;
    uint64_t slots = page->head.data_size / sizeof(struct slot);
    uint64_t written = (to - from) / sizeof(struct slot);
    if (slots <= SLOTS_IN_DOUBT) {
        return 0;
    }
    uint64_t there = written < slots - SLOTS_IN_DOUBT ? written : slots - SLOTS_IN_DOUBT;
    uint64_t users = 0;
    for (uint64_t i = 1; i <= there; i++) {
        uint64_t at = (to / sizeof(struct slot) - i) % slots;
        users += IS_USER_SAMPLE((const struct slot *)(const void *)ring + at);
    }
    return there == written ? users : users * written / there;
}

/* Records may differ in size: one that reports throttling is smaller. */
bool tclk_sample_page_next(const struct tclk_sample_page *page, uint64_t *at, struct tclk_sample *sample)
{
    const char *ring = (const char *)page + page->head.data_offset;
    const struct timed_slot *slot = (const struct timed_slot *)(const void *)(ring + *at);
    uint64_t head = tclk_sample_page_head(page);
    while (*at + sizeof *slot <= head && head <= page->head.data_size && slot->header.size != 0) {
        *at += slot->header.size;
        if (slot->header.type == PERF_RECORD_SAMPLE) {
            *sample = (struct tclk_sample){.raw_ns = (int64_t)slot->raw_ns, .is_user = IS_USER_SAMPLE(slot)};
            return true;
        }
        slot = (const struct timed_slot *)(const void *)(ring + *at);
    }
    return false;
}

int tclk_sample_rate_max(int *per_second)
{
    return tclk_perf_setting("/proc/sys/kernel/perf_event_max_sample_rate", per_second);
}
