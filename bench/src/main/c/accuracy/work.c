/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Work whose division into user and system time is known. It is counted, never timed: a loop that runs until a clock
 * says stop locks to the ticks, and errors of 20 points that nobody has come out of it.
 */

#include "accuracy.h"
#include "clock/counter.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK 4096
#define AREA (16 * BLOCK)
#define COPY_MAX (512 * 1024)

struct work_cost work_costs[WORKS];
double work_ns_per_count;

static char *mapped; /* of AREA bytes, with all its pages */

/* Each thread of a workload copies into its own, so that they do not pass cache lines to and fro. */
static _Thread_local char copied[COPY_MAX];

/* /dev/zero is copied, a file in memory read, and /dev/null written to. */
static struct call {
    long number, fd, bytes;
} calls[WORKS];

static long no_syscall(long number, ...)
{
    __asm__ volatile("" : : "r"(number) : "memory");
    return 0;
}

/* Through a pointer that the compiler cannot see through: so real and replaced loop are one code. libc's own read and
 * write would cost two atomic exchanges of user time each, as cancellation points in a process with several threads. */
static long (*volatile functions[])(long, ...) = {no_syscall, syscall};

static void map_and_touch(bool is_real)
{
    char *area = is_real ? mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : mapped;
    if (area == MAP_FAILED) {
        abort();
    }
    for (volatile char *page = area; page < area + AREA; page += BLOCK) {
        *page = 1;
    }
    if (is_real) {
        munmap(area, AREA);
    }
}

void work_do(enum work kind, bool is_real, int64_t pieces)
{
    const struct call call = calls[kind];
    long (*function)(long, ...) = functions[is_real];
    uint64_t x = (uint64_t)pieces;
    for (int64_t i = 0; kind == SPIN && i < pieces; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        __asm__ volatile("" : "+r"(x));
    }
    for (int64_t i = 0; kind != SPIN && i < pieces; i++) {
        if (kind == MMAP) {
            map_and_touch(is_real);
        } else {
            function(call.number, call.fd, copied, call.bytes, 0L);
        }
    }
}

/* ---- what it costs ---- */

#define RUNS 101
#define RUN_NS (50 * US) /* long enough to time to 0.1 %, short enough that most runs meet no tick */
#define BASELINE_NS (50 * MS)

/* Least disturbed: of all runs, a tenth is quicker. One more, the first, tells how long to make them. */
static double typical_ns(enum work kind, bool is_real)
{
    double ns[RUNS + 1];
    int64_t pieces = 100;
    for (int i = RUNS; i >= 0; i--) {
        uint64_t before = tclk_counter_read();
        work_do(kind, is_real, pieces);
        ns[i] = (double)(tclk_counter_read() - before) * work_ns_per_count / (double)pieces;
        pieces = i == RUNS ? (int64_t)(RUN_NS / ns[i]) + 1 : pieces;
    }
    qsort(ns, RUNS, sizeof *ns, ascending);
    return ns[RUNS / 10];
}

/* The time of a copy is not quite proportional to its length: two rounds come near enough. */
static void fit_copy(enum work kind, double aim_ns)
{
    for (int round = 0; round < 2; round++) {
        long bytes = (long)((double)calls[kind].bytes * aim_ns / typical_ns(kind, true));
        calls[kind].bytes = bytes < 64 ? 64 : bytes > COPY_MAX ? COPY_MAX : bytes / 64 * 64;
    }
}

static void *calibrate(void *unused)
{
    uint64_t counter = tclk_counter_read();
    double ns, start_ns = now_ns(CLOCK_MONOTONIC_RAW);
    while ((ns = now_ns(CLOCK_MONOTONIC_RAW) - start_ns) < BASELINE_NS) {
    }
    work_ns_per_count = ns / (double)(tclk_counter_read() - counter);
    fit_copy(COPY_SHORT, 2 * US);
    fit_copy(COPY_LONG, 10 * US);
    for (enum work kind = SPIN; kind < WORKS; kind++) {
        work_costs[kind] = (struct work_cost){typical_ns(kind, true), typical_ns(kind, false)};
    }
    return unused;
}

/* Calibrates in a second thread: of a process with only one, the kernel looks up files at a lower price. */
int work_prepare(void)
{
    static const char block[BLOCK];
    pthread_t thread;
    int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int file = memfd_create("threadclock-accuracy", MFD_CLOEXEC);
    mapped = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (zero < 0 || null < 0 || file < 0 || mapped == MAP_FAILED || write(file, block, BLOCK) != BLOCK) {
        return -errno;
    }
    calls[COPY_SHORT] = calls[COPY_LONG] = (struct call){SYS_pread64, zero, 65536};
    calls[GETPPID] = (struct call){SYS_getppid, 0, 0};
    calls[PREAD] = (struct call){SYS_pread64, file, BLOCK};
    calls[WRITE] = (struct call){SYS_write, null, BLOCK};
    memset(mapped, 1, AREA);
    int error = pthread_create(&thread, NULL, calibrate, NULL);
    return error != 0 ? -error : -pthread_join(thread, NULL);
}
