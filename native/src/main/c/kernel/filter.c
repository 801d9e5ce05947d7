/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/filter.h"

#include "kernel/call.h"
#include "kernel/clockid.h"
#include "kernel/file.h"
#include "kernel/signals.h"
#include "kernel/usage.h"

#include <errno.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __WALL
#define __WALL 0x40000000
#endif

static uint32_t insisting;

/* The number of filters that may kill for what ordinary programs call. */
static int32_t forbidding;

bool tclk_filter_forbids(void)
{
    return __atomic_load_n(&forbidding, __ATOMIC_ACQUIRE) != 0;
}

void tclk_filter_count_own(int change)
{
    __atomic_fetch_add(&forbidding, change, __ATOMIC_ACQ_REL);
}

void tclk_filter_insist(bool insist)
{
    __atomic_store_n(&insisting, insist, __ATOMIC_RELAXED);
}

bool tclk_filter_insists(void)
{
    return __atomic_load_n(&insisting, __ATOMIC_RELAXED) != 0;
}

/* Takes about 0.1 us. A kernel without filters answers EINVAL. Any other refusal comes from a filter. */
static bool has_filter(void)
{
    long mode = tclk_call(SYS_prctl, PR_GET_SECCOMP, 0, 0);
    return mode > 0 || (mode < 0 && mode != -EINVAL);
}

/* Parses the second number of statm(5), "SIZE RESIDENT ...", in pages. Returns 0 if there is none. */
static uint64_t resident_pages(const char *statm, size_t length)
{
    uint64_t pages = 0;
    size_t at = 0;
    while (at < length && statm[at] != ' ') {
        at++;
    }
    for (at++; at < length && statm[at] >= '0' && statm[at] <= '9'; at++) {
        pages = pages * 10 + (uint64_t)(statm[at] - '0');
    }
    return pages;
}

/* Uses the present size. The peak (getrusage) may be that of the process that has started this one. */
__attribute__((noinline)) static bool is_small(void)
{
    char statm[64];
    size_t length;
    tclk_file_read("/proc/self/statm", statm, sizeof statm, &length);
    uint64_t pages = resident_pages(statm, length);
    uint64_t page_kb = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
    return pages > 0 && pages <= TCLK_FILTER_CHILD_MAX_KB / page_kb;
}

/* Bypasses libc's fork(), which calls the handlers that programs have registered. */
static void be_child(void (*call)(void))
{
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    call();
    syscall(SYS_exit_group, 0);
}

/* The child sends no signal when it ends, so a program that waits for its own children does not find it. */
static bool survived(long child)
{
    int status = -1;
    long awaited;
    do {
        awaited = syscall(SYS_wait4, child, &status, __WALL, NULL);
    } while (awaited < 0 && errno == EINTR);
    return awaited == child && WIFEXITED(status);
}

/* Blocks all signals meanwhile, because the program's handlers must not run in the child. */
__attribute__((noinline)) static uint32_t try_in_child(void (*call)(void))
{
    uint64_t mask = 0;
    if (tclk_signals_block(TCLK_SIGNALS_ALL, &mask) != 0) {
        return TCLK_FILTER_UNTRIED;
    }
    long child = syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
    if (child == 0) {
        be_child(call);
    }
    bool is_short = child < 0 && (errno == EAGAIN || errno == ENOMEM); /* of processes or memory, for now */
    uint32_t finding = is_short          ? TCLK_FILTER_UNASKED
                       : child < 0       ? TCLK_FILTER_UNTRIED
                       : survived(child) ? TCLK_FILTER_SURVIVED
                                         : TCLK_FILTER_KILLS;
    tclk_signals_block(mask, NULL);
    return finding;
}

int tclk_filter_permit(struct tclk_guarded *guarded)
{
    if (tclk_filter_forbids()) {
        return -TCLK_FILTER_KILLS;
    }
    if (!has_filter()) {
        return 0;
    }
    uint32_t finding = __atomic_load_n(&guarded->finding, __ATOMIC_RELAXED);
    if (finding == TCLK_FILTER_UNASKED && (tclk_filter_insists() || is_small())) {
        finding = try_in_child(guarded->call);
        __atomic_store_n(&guarded->finding, finding, __ATOMIC_RELAXED);
    }
    return finding == TCLK_FILTER_SURVIVED ? 0 : finding == TCLK_FILTER_UNASKED ? -TCLK_FILTER_UNTRIED : -(int)finding;
}

/* The calls of readings beside CLOCK_THREAD_CPUTIME_ID. */
static void try_readings(void)
{
    int64_t ns;
    struct tclk_usage usage;
    char stat[64];
    size_t length;
    tclk_clock_read_own(TCLK_CLOCK_VIRT, &ns);
    tclk_clock_read(CLOCK_BOOTTIME, &ns);
    tclk_usage_read(&usage);
    tclk_file_read("/proc/self/stat", stat, sizeof stat, &length);
}

bool tclk_filter_permits_readings(void)
{
    static struct tclk_guarded guarded = {.call = try_readings};
    if (tclk_filter_permit(&guarded) != 0 && guarded.finding != TCLK_FILTER_UNASKED && !tclk_filter_forbids()) {
        tclk_filter_count_own(1);
    }
    return !tclk_filter_forbids();
}
