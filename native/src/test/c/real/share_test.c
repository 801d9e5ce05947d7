/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Compares the division of CPU time with work whose division is known. A kernel that accounts by ticks only knows what
 * each tick has found, so these laws need many ticks, and work that is counted in iterations: work that is timed locks
 * to the ticks.
 */

#include "clock/divide/divide.h"
#include "kernel/clockid.h"
#include "real.h"

#define WARM_UP_NS (200 * MS)
#define LONG_NS (800 * MS)

/* ---- what the kernel has seen ---- */

/* CPU time, and as much of it as ticks have found. Beside other computing threads, a thread takes turns with them
 * tick by tick, and hardly any tick finds it. Then the kernel itself does not know its division. */
struct seen {
    int64_t cpu_ns;
    int64_t ticked_ns;
    int64_t user_ns;
    int64_t system_ns;
};

static struct seen seen_now(enum tclk_clock_scope scope)
{
    struct rusage usage = usage_of(scope == TCLK_CLOCK_THREAD ? RUSAGE_THREAD : RUSAGE_SELF);
    struct seen seen = {.user_ns = ns_of_timeval(usage.ru_utime), .system_ns = ns_of_timeval(usage.ru_stime)};
    tclk_clock_read(tclk_clockid_encode(0, scope, TCLK_CLOCK_SCHED), &seen.cpu_ns);
    tclk_clock_read(tclk_clockid_encode(0, scope, TCLK_CLOCK_PROF), &seen.ticked_ns);
    return seen;
}

#define FOUND_PERCENT 60

static bool is_seen(struct seen from, struct seen to)
{
    int64_t cpu_ns = to.cpu_ns - from.cpu_ns;
    int64_t ticked_ns = to.ticked_ns - from.ticked_ns;
    return ticked_ns * 100 >= cpu_ns * FOUND_PERCENT;
}

static void skip_for(const char *source, const char *sentence, const char *missing)
{
    char text[128];
    snprintf(text, sizeof text, "%s: %s", source, sentence);
    skip(text, missing);
}

static void skip_unseen(const char *source, const char *sentence, struct seen from, struct seen to)
{
    char missing[128];
    snprintf(missing, sizeof missing, "clock ticks that find the thread: only %" PRId64 " %% of them did",
             (to.ticked_ns - from.ticked_ns) * 100 / (to.cpu_ns - from.cpu_ns));
    skip_for(source, sentence, missing);
}

/* ---- long work ---- */

struct shares {
    double ours;
    double kernels; /* while the work lasted */
    double owed;    /* what leads to the kernel's share of the thread's life */
    struct seen from;
    struct seen to;
    bool was_sampled;
};

static void (*piece)(void);

/* True if the thread had bouts meanwhile. */
static bool do_pieces(int64_t cpu_ns)
{
    bool was_sampled = false;
    int64_t end_ns = times_now().cpu_ns + cpu_ns;
    while (times_now().cpu_ns < end_ns) {
        piece();
        was_sampled |= stats_now().threads_suspected > 0;
    }
    return was_sampled;
}

static double owed(struct tclk_times before, struct tclk_times after, struct seen to)
{
    double life = (double)to.user_ns / (double)(to.user_ns + to.system_ns);
    return (life * (double)after.cpu_ns - (double)before.user_ns) / (double)(after.cpu_ns - before.cpu_ns);
}

/* A young thread starts with the process's share, which is forgotten after a while. */
static void *work_long(void *argument)
{
    struct shares *shares = argument;
    shares->was_sampled = do_pieces(WARM_UP_NS);
    struct tclk_times before = times_now();
    shares->from = seen_now(TCLK_CLOCK_THREAD);
    shares->was_sampled |= do_pieces(LONG_NS);
    struct tclk_times after = times_now();
    shares->to = seen_now(TCLK_CLOCK_THREAD);
    double user_ns = (double)(shares->to.user_ns - shares->from.user_ns);
    double system_ns = (double)(shares->to.system_ns - shares->from.system_ns);
    shares->ours = (double)(after.user_ns - before.user_ns) / (double)(after.cpu_ns - before.cpu_ns);
    shares->kernels = user_ns / (user_ns + system_ns);
    shares->owed = owed(before, after, shares->to);
    return NULL;
}

/* The library makes up for what it has told until then, and need not know better than the kernel. */
#define KERNELS_ERROR 0.02

/* The library follows ticks with a memory of TCLK_SPLIT_H_NS. So it may not have made up yet for the chance of that
 * many ticks, and is within so many of its standard deviations of the kernel. */
#define DEVIATIONS 4

/* Beside others that compute on its CPU, a thread may have bouts, and is divided by the few samples of its bouts. A
 * host that withholds the CPU loses some of these, which look like system time. It also loses ticks, so that the
 * library may follow the first ones of the thread for longer. */
#define DISTURBED_ERROR 0.05

static double least_of(double a, double b)
{
    return a < b ? a : b;
}

static double most_of(double a, double b)
{
    return a > b ? a : b;
}

/* The variance of the user share: each tick that the library remembers is user time or system time by chance. */
static double variance(double share)
{
    double ticks = (double)TCLK_SPLIT_H_NS / (double)tclk_clock_tick_ns();
    double part_of_one = (double)tclk_clock_tick_ns() / (double)LONG_NS;
    return share * (1 - share) * ticks * part_of_one * part_of_one;
}

static void is_divided(const char *source, void (*work)(void), double least, double most, const char *sentence)
{
    struct shares shares;
    piece = work;
    in_thread(work_long, &shares);
    if (!is_seen(shares.from, shares.to)) {
        skip_unseen(source, sentence, shares.from, shares.to);
        return;
    }
    if (shares.was_sampled && kind_has_late_timers()) {
        skip_for(source, sentence, KIND_LATE_TIMERS);
        return;
    }
    double beyond = shares.ours < least  ? least_of(shares.kernels, shares.owed) - shares.ours
                    : shares.ours > most ? shares.ours - most_of(shares.kernels, shares.owed)
                                         : 0;
    bool is_disturbed = shares.was_sampled || kind_has_late_timers();
    ok(beyond <= (is_disturbed ? DISTURBED_ERROR : KERNELS_ERROR) ||
           beyond * beyond <= DEVIATIONS * DEVIATIONS * variance(shares.kernels),
       "%s: %s", source, sentence);
    diag("%.2f %% user; the kernel says %.2f %%, owed are %.2f %%; ticks found %" PRId64 " of %" PRId64 " ms%s",
         shares.ours * 100, shares.kernels * 100, shares.owed * 100, (shares.to.ticked_ns - shares.from.ticked_ns) / MS,
         (shares.to.cpu_ns - shares.from.cpu_ns) / MS, shares.was_sampled ? "; it had bouts" : "");
}

static void compute(void)
{
    spin_wall_ns(MS);
}

/* Each read costs some 50 ns on the way in and out that every tick-based split takes for user time. */
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

#define SHORT_ERROR 0.1

struct work {
    int64_t spins;
    int reads;
};

/* The work of a thread of half user and half system time. */
static struct work halves;

static int64_t cost_of(void (*work)(int64_t), int64_t times)
{
    int64_t before_ns = kernel_cpu_ns();
    work(times);
    return kernel_cpu_ns() - before_ns;
}

/* Over a long run of either alone, the exact clock of CPU time tells the cost of one iteration. */
static void calibrate(void)
{
    copy_zeroes(100);
    int64_t spin_ns = cost_of(spin_times, CALIBRATION * 1000);
    int64_t copy_ns = cost_of(copy_zeroes, CALIBRATION);
    halves.spins = HALF_NS * CALIBRATION * 1000 / spin_ns;
    halves.reads = (int)(HALF_NS * CALIBRATION / copy_ns);
}

static double sum_of_shares;

static void work_in_halves(void)
{
    struct tclk_times before = times_now();
    for (int i = 0; i < 4; i++) {
        spin_times(halves.spins / 4);
        copy_zeroes(halves.reads / 4);
    }
    struct tclk_times after = times_now();
    sum_of_shares += (double)(after.user_ns - before.user_ns) / (double)(after.cpu_ns - before.cpu_ns);
}

static void short_work(const char *source)
{
    static const char sentence[] = "of short threads, half user and half system, the mean is within 10 points";
    calibrate();
    struct seen from = seen_now(TCLK_CLOCK_PROCESS);
    sum_of_shares = 0;
    for (int i = 0; i < SHORT_THREADS; i++) {
        test_in_thread(work_in_halves);
    }
    struct seen to = seen_now(TCLK_CLOCK_PROCESS);
    double mean = sum_of_shares / SHORT_THREADS;
    if (!is_seen(from, to)) {
        skip_unseen(source, sentence, from, to);
        return;
    }
    /* Starting and ending a thread is system time. On an emulated machine it is more than the work, and some of it
     * falls into the work. The library need not know better than the kernel. */
    double user_ns = (double)(to.user_ns - from.user_ns);
    double kernels = user_ns / (user_ns + (double)(to.system_ns - from.system_ns));
    double low = least_of(kernels, 0.5);
    double high = most_of(kernels, 0.5);
    ok(mean > low - SHORT_ERROR && mean < high + SHORT_ERROR, "%s: %s", source, sentence);
    diag("the kernel says %.1f %%", kernels * 100);
    diag("%.1f %% user in %d threads; %" PRId64 " spins, %d reads", mean * 100, SHORT_THREADS, halves.spins,
         halves.reads);
}

/* With all the precedence that the process may have, ticks find its threads. */
static void take_precedence(void)
{
    if (setpriority(PRIO_PROCESS, 0, -20) != 0) {
        diag("no precedence: %s", strerror(errno));
    }
}

int main(void)
{
    if (!KIND_IS_PLAIN) {
        skip("shares are those of the work", KIND_PLAIN_ONLY);
    } else if (kind_is_emulated()) {
        skip("shares are those of the work", KIND_EMULATED);
    } else {
        take_precedence();
        with_each_source(long_work);
        if (source_use(TCLK_SOURCE_AUTO)) {
            short_work("auto");
        }
    }
    return done();
}
