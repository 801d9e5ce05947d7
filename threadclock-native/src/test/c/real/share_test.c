/* SPDX-License-Identifier: Apache-2.0 */

/*
 * How CPU time is divided, held against work whose division is known. A kernel that accounts by ticks
 * only knows what each tick has found, so these laws need many ticks, and work that is counted in
 * iterations: work that is timed locks to the ticks.
 */

#include "clocks.h"
#include "kind.h"
#include "sources.h"
#include "threads.h"

#include <fcntl.h>
#include <tap.h>
#include <unistd.h>

#define LONG_NS (800 * MS)

/* Each read costs some 50 ns on the way in and out that every tick-based split takes for user time. */
#define CHUNK 65536

static int zero_fd;

static void copy_zeroes(int times)
{
    static _Thread_local char chunk[CHUNK];
    for (int i = 0; i < times; i++) {
        if (pread(zero_fd, chunk, CHUNK, 0) != CHUNK) {
            abort();
        }
    }
}

static double share_between(const struct rusage *before, const struct rusage *after)
{
    int64_t user_ns = ns_of_timeval(after->ru_utime) - ns_of_timeval(before->ru_utime);
    int64_t system_ns = ns_of_timeval(after->ru_stime) - ns_of_timeval(before->ru_stime);
    return (double)user_ns / (double)(user_ns + system_ns);
}

struct shares {
    double ours;
    double kernels;
};

static void (*piece)(void);

/* Does pieces of one kind of work, and reads in between. */
static void *work_long(void *argument)
{
    struct shares *shares = argument;
    piece(); /* its pages are there now */
    struct tclk_times before = times_now();
    struct rusage kernel_before = usage_of(RUSAGE_THREAD);
    while (times_now().cpu_ns - before.cpu_ns < LONG_NS) {
        piece();
    }
    struct tclk_times after = times_now();
    struct rusage kernel_after = usage_of(RUSAGE_THREAD);
    shares->ours =
        (double)(after.user_ns - before.user_ns) / (double)(after.cpu_ns - before.cpu_ns);
    shares->kernels = share_between(&kernel_before, &kernel_after);
    return NULL;
}

/* The kernel itself may have seen a few ticks of the other sort: then we need not know better. */
#define KERNELS_ERROR 0.01

static void is_divided(const char *source, void (*work)(void), double least, double most,
                       const char *sentence)
{
    struct shares shares = {-1, -1};
    piece = work;
    in_thread(work_long, &shares);
    double low = shares.kernels - KERNELS_ERROR < least ? shares.kernels - KERNELS_ERROR : least;
    double high = shares.kernels + KERNELS_ERROR > most ? shares.kernels + KERNELS_ERROR : most;
    ok(shares.ours >= low && shares.ours <= high, "%s: %s", source, sentence);
    diag("%.2f %% user; the kernel says %.2f %%", shares.ours * 100, shares.kernels * 100);
}

static void compute(void)
{
    spin_wall_ns(MS);
}

static void read_zeroes(void)
{
    copy_zeroes(20);
}

static void long_work(const char *source)
{
    is_divided(source, compute, 0.98, 1, "computing is user time, at least 98 %");
    is_divided(source, read_zeroes, 0, 0.15, "reading by 64 KiB is system time, at most 15 % user");
}

/* ---- threads that live for a few ms ---- */

#define SHORT_THREADS 600

/* CPU time that each half of a short thread's work takes: less than one tick. */
#define HALF_NS (1500 * US)

#define CALIBRATION 2000

struct work {
    int64_t spins;
    int reads;
};

/* What a thread of half user and half system time does. */
static struct work halves;

static void spin(int64_t times)
{
    for (volatile int64_t i = 0; i < times; i++) {
    }
}

static int64_t cost_of(void (*work)(int64_t), int64_t times)
{
    int64_t before_ns = kernel_cpu_ns();
    work(times);
    return kernel_cpu_ns() - before_ns;
}

static void copy(int64_t times)
{
    copy_zeroes((int)times);
}

/* Over a long run of either alone, the exact clock of CPU time tells what one iteration costs. */
static void calibrate(void)
{
    copy(100);
    int64_t spin_ns = cost_of(spin, CALIBRATION * 1000);
    int64_t copy_ns = cost_of(copy, CALIBRATION);
    halves.spins = HALF_NS * CALIBRATION * 1000 / spin_ns;
    halves.reads = (int)(HALF_NS * CALIBRATION / copy_ns);
}

static double sum_of_shares;

static void *work_shortly(void *unused)
{
    struct tclk_times before = times_now();
    for (int i = 0; i < 4; i++) {
        spin(halves.spins / 4);
        copy_zeroes(halves.reads / 4);
    }
    struct tclk_times after = times_now();
    sum_of_shares +=
        (double)(after.user_ns - before.user_ns) / (double)(after.cpu_ns - before.cpu_ns);
    return unused;
}

static void short_work(const char *source)
{
    calibrate();
    sum_of_shares = 0;
    for (int i = 0; i < SHORT_THREADS; i++) {
        in_thread(work_shortly, NULL);
    }
    double mean = sum_of_shares / SHORT_THREADS;
    ok(mean > 0.4 && mean < 0.6,
       "%s: of %d short threads, half user and half system, the mean is within 10 points", source,
       SHORT_THREADS);
    diag("%.1f %% user; %" PRId64 " spins, %d reads", mean * 100, halves.spins, halves.reads);
}

int main(void)
{
    zero_fd = open("/dev/zero", O_RDONLY);
    if (KIND_IS_PLAIN) {
        with_each_source(long_work);
        if (source_use(TCLK_SOURCE_AUTO)) {
            short_work("auto");
        }
    } else {
        skip("shares are those of the work", KIND_PLAIN_ONLY);
    }
    return done();
}
