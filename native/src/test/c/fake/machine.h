/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_MACHINE_H
#define TCLK_TEST_MACHINE_H

/*
 * A machine with one thread, and another one beside it, on which time passes only when a test says so. It has a counter
 * of 2.5 GHz, a kernel that accounts by ticks of 4 ms as Linux does, an rseq area and a perf page. The functions of
 * kernel/ are implemented here.
 *
 * A reading of the counter takes 10 ns, and a reading of a kernel clock 400 ns. Both return the value in the middle of
 * that time, so that a reading's midpoint is exact.
 */

#include "clock/line.h"
#include "include/threadclock.h"
#include "stats.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define US INT64_C(1000)
#define MS INT64_C(1000000)
#define S INT64_C(1000000000)

#define MACHINE_TICK_NS INT64_C(4000000)
#define MACHINE_LOOK_NS 10
#define MACHINE_CALL_NS 400
#define MACHINE_WAKE_NS 700

enum machine_mode { USER_MODE, SYSTEM_MODE };

/* The thread that is observed. machine_other_run() gives it CPU time, while the first thread's stands still. */
struct other_thread {
    pid_t tid; /* 0 = there is none */
    int64_t started_ns;
    int64_t cpu_ns;
    int64_t user_ticks;
    int64_t system_ticks;
    int64_t run_delay_ns;
    int64_t timeslices;
    int64_t voluntary_switches;
    int64_t involuntary_switches;
    uint64_t clock_reads; /* readings of any of its clocks by its tid */
    uint64_t start_reads; /* readings of its start */
};

struct machine {
    uint64_t counter;
    uint64_t counter_offset;
    int64_t counter_rate_ppm;   /* how much faster than 2.5 GHz it runs since it was set */
    int64_t raw_ns;             /* CLOCK_MONOTONIC_RAW */
    int64_t monotonic_ahead_ns; /* CLOCK_MONOTONIC is ahead of it by this */
    int64_t cpu_ns;             /* the scheduler's clock of the thread */
    enum machine_mode mode;     /* what a tick finds the thread doing */
    int64_t user_ticks;
    int64_t system_ticks;
    int64_t voluntary_switches;
    int64_t involuntary_switches;
    int64_t run_delay_ns; /* grows by MACHINE_WAKE_NS at a sleep's end, and by the length of a preemption */
    int64_t timeslices;
    int64_t started_ns;   /* start of the process, with its first thread; told in units of 10 ms */
    uint64_t clock_reads; /* times that the kernel was asked for the thread's CPU time */
    uint64_t usage_reads;
    uint64_t schedstat_reads;
    uint64_t calls; /* times that the kernel was asked for anything of these */

    /* The kind of machine. */
    int kernel_major;
    int kernel_minor;
    bool keeps_markers; /* switches change neither rseq_cs nor the ids nor the perf page's lock */
    bool keeps_ids;     /* … and the ids only if they differ, as Linux 6.19 to 7.0.9 do */
    bool debugs_rseq;   /* looks at rseq_cs in system calls, too; a changed id kills */
    bool libc_has_no_rseq;
    int stays_in_one_of;      /* one in this many sleeps ends on the same CPU; 0 = all do */
    bool has_no_children;     /* clone(2) is refused */
    bool loses_markers;       /* system calls change the markers */
    int64_t switches_from_ns; /* shorter sleeps are over before they begin */
    bool counter_is_refused;
    bool counter_varies;
    bool counter_is_given_up; /* by the kernel */
    bool counter_is_slow;
    bool raw_clock_stops;
    bool clock_is_coarse; /* the thread's CPU clock moves only at ticks */
    bool
        /* the process is too large for a child that tries what a filter may kill for */
        is_large_and_filtered;
    int rseq_error;
    int perf_error;
    int clock_error;
    int proc_error;
    int schedstat_error;
    bool counts_no_delay;    /* the kernel has no CONFIG_SCHED_INFO */
    bool delay_drifts;       /* run-queue delay grows at system calls, without a switch */
    bool loses_slices;       /* a sleep is no time slice */
    bool preempts_sleepers;  /* each other sleep is only a preemption, which is no time slice */
    int64_t process_user_ns; /* of other threads */
    int64_t process_system_ns;

    struct other_thread other;
    int killed; /* times that the kernel has found a changed id that it does not allow */

    /* Sampling of the thread's user mode. */
    int sample_error;
    int sample_rate_max;      /* 0 = the file cannot be read */
    bool samples_are_lost;    /* the event can be opened, but takes no samples */
    int64_t sample_events;    /* events that exist now */
    int64_t sample_opens;     /* events that were ever tried */
    int64_t sample_period_ns; /* of the event opened last */
    int64_t samples;          /* times that the timer was due */
    int64_t sample_cost_ns;   /* CPU time of the thread for each of them */
    int64_t perf_pages;       /* pages of the detector perf that exist now */

    /* Called once each: in the middle of the next kernel reading, and before the next reading of the counter. */
    void (*in_next_call)(void);
    void (*before_next_look)(void);

    /* Called once, when the thread is no longer inside. */
    void (*when_outside)(void);

    /* True while the thread is in the kernel, or inside one of its own instructions, where no signal may come. */
    volatile int inside;
};

extern struct machine machine;

/* Makes a machine of this kind, as after boot: Linux 6.12, if it says nothing else. */
void machine_boot(struct machine kind);

/* The thread computes, or works in the kernel, without being switched out. */
void machine_run(int64_t ns, enum machine_mode mode);

/* The thread sleeps. */
void machine_sleep(int64_t ns);

/* … until this phase of the clock tick. */
void machine_sleep_until(int64_t phase_ns);

/* Another thread has the CPU for a while. */
void machine_preempt(int64_t ns);

/* A signal is delivered to the thread: clears rseq_cs, writes the ids, and leaves the perf page alone. */
void machine_signal(void);

/* The other thread begins, and has the CPU. */
#define OTHER 4194303
void start_other(int64_t cpu_ns);
void machine_other_run(int64_t ns, enum machine_mode mode);

/* The hypervisor takes the CPU away, and tells nobody. */
void machine_steal(int64_t ns);

/* The counter alone goes on by this, or back. */
void machine_jump(int64_t ns);

/* The process was stopped, and is restored this much later as another one, on this machine or on one whose clocks
 * and counter are ahead. To the kernel, its threads have used nothing yet. */
void machine_restore(int64_t after_ns, int64_t ahead_ns);

/* ---- tests ---- */

/* A test begins on a sound machine, in a process in which the library has done nothing yet. Each of its readings is
 * held to the law (below). A program without a main() runs all its tests in the order of the file. */
#define TEST(name)                                                                                                     \
    static void name(void);                                                                                            \
    __attribute__((constructor)) static void add_##name(void)                                                          \
    {                                                                                                                  \
        test_add(#name, name);                                                                                         \
    }                                                                                                                  \
    static void name(void)

void test_add(const char *name, void (*test)(void));

/* A handler jumps out of a call, where `hook` (of the machine's) comes. */
void jump_out_of(void (*call)(void), void (**hook)(void), const char *what);

/* Runs a part of a test, or a row of its table, like a test of its own. */
void in_fresh_process(void (*test)(void));

/* Configures the clock: USE(.source = TCLK_SOURCE_RSEQ). */
#define USE(...) use((struct tclk_config){__VA_ARGS__})
void use(struct tclk_config config);

/* The library's text about a source, or about the clock, has this part. */
void source_says(enum tclk_source source, const char *part);
void clock_says(const char *part);

/* A call raises a count by this. */
#define RAISES(count, by, call, ...)                                                                                   \
    do {                                                                                                               \
        int64_t raised_from = (int64_t)(count);                                                                        \
        call;                                                                                                          \
        is_ns((int64_t)(count)-raised_from, by, __VA_ARGS__);                                                          \
    } while (0)

static inline int64_t demotions(void)
{
    return (int64_t)stats_now().demotions;
}

/* ---- the law of a thread's readings ---- */

/* A reading that begins after another one has ended has no less CPU time. Between any two points, user time changes in
 * the direction of CPU time, and by no more. */
extern struct readings {
    int64_t count;
    int64_t broken;    /* breaches of the law */
    int64_t ahead_ns;  /* of the kernel's clock, at most, since readings_begin() */
    int64_t behind_ns; /* the kernel's clock when the reading began, at most */
} readings;

void readings_begin(void);

/* As every test does at its end. */
void readings_keep_the_law(const char *who);

/* One consistent reading of this thread, by itself, or as another thread makes it. The test ends if it fails. */
struct tclk_point read_now(void);
struct tclk_point observe_own(void);

/* One after the thread has run for so long. */
struct tclk_point run_and_read(int64_t ns, enum machine_mode mode);

/* Works in rounds of 97 us, so that they are not in step with the tick, and reads in both halves of each. */
void work_mixed(int64_t cpu_ns, int percent_user);

/* The same for any way to read; and two ways whose readings are not held to the law. */
struct tclk_point judge(struct tclk_point (*read)(void));
struct tclk_point read_unjudged(void);
struct tclk_point observe_unjudged(void);

/* The kernel has just been asked, and no reading is ahead of it. */
void anchor_now(void);

/* How far a reading may be off then: by half a reading of the counter, and rounding; and by what a resync may still ask
 * for after it has read the clock. */
#define ROUNDING_NS 8
#define RESYNC_NS (12 * MACHINE_CALL_NS)

/* Tells a share, and that it is one of these. */
bool is_share(double share, double least, double most, const char *sentence);

/* The part of user time in the CPU time between two points, or from one until now. */
double share_between(struct tclk_point from, struct tclk_point to);
double share_since(struct tclk_point from);

#endif
