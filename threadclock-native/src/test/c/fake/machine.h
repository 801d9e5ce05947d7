/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_MACHINE_H
#define TCLK_TEST_MACHINE_H

/*
 * A machine with one thread, and another one beside it, on which time passes only when a test says so. It has a counter of
 * 2.5 GHz, a kernel that accounts by ticks of 4 ms as Linux does, an rseq area and a perf page. What
 * stands in kernel/ is answered from here.
 *
 * A look at the counter takes 10 ns, asking the kernel for a clock 400 ns; both see what is true in
 * the middle of that, so that a reading's midpoint is exact.
 */

#include "clock/split.h"
#include "include/threadclock.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define MACHINE_TICK_NS INT64_C(4000000)
#define MACHINE_LOOK_NS 10
#define MACHINE_CALL_NS 400

enum machine_mode { USER_MODE, SYSTEM_MODE };

/* The thread that is observed. It uses CPU time by machine_other_run(), while the first thread's stands
 * still. */
struct other_thread {
    pid_t tid; /* 0 = there is none */
    int64_t started_ns;
    int64_t cpu_ns;
    int64_t user_ticks;
    int64_t system_ticks;
    uint64_t clock_reads; /* of any kind, by its tid */
    uint64_t start_reads; /* of when it was started */
};

struct machine {
    uint64_t counter;
    uint64_t counter_offset;
    int64_t counter_rate_ppm; /* how much faster than 2.5 GHz, from when it was set */
    int64_t raw_ns;           /* CLOCK_MONOTONIC_RAW */
    int64_t cpu_ns;           /* the scheduler's clock of the thread */
    enum machine_mode mode;   /* what a tick finds the thread doing */
    int64_t user_ticks;
    int64_t system_ticks;
    int64_t voluntary_switches;
    int64_t involuntary_switches;
    int64_t started_ns;   /* the process, with its first thread; told in units of 10 ms */
    uint64_t clock_reads; /* times that the kernel was asked for the thread's CPU time */
    uint64_t usage_reads;
    uint64_t calls; /* times that the kernel was asked for anything of these */

    /* What kind of machine it is. */
    int kernel_major;
    int kernel_minor;
    bool keeps_markers; /* switches change neither rseq_cs nor the ids nor the perf page's lock */
    bool keeps_ids;     /* … nor, as Linux 6.19 to 7.0.9, the ids unless they differ */
    bool debugs_rseq;   /* looks at rseq_cs in system calls too; a changed id kills */
    bool libc_has_no_rseq;
    int stays_in_one_of;      /* sleeps; the others end on another CPU; 0 = it always stays */
    bool has_no_children;     /* clone(2) is refused */
    bool loses_markers;       /* system calls change the markers */
    int64_t switches_from_ns; /* shorter sleeps are over before they begin */
    bool counter_is_refused;
    bool counter_varies;
    bool counter_is_given_up; /* by the kernel */
    bool counter_is_slow;
    bool clock_is_coarse; /* the thread's CPU clock moves at ticks alone */
    bool
        is_large_and_filtered; /* the process: too large for a child that tries what a filter may kill for */
    int rseq_error;
    int perf_error;
    int clock_error;
    int proc_error;
    int64_t process_user_ns; /* of other threads */
    int64_t process_system_ns;

    struct other_thread other;
    int killed; /* times that the kernel has found an id changed that it did not let pass */

    /* Sampling of the thread's user mode. */
    int sample_error;
    int sample_rate_max;      /* 0 = the file cannot be read */
    bool samples_are_lost;    /* the event is there, and takes none */
    int64_t sample_events;    /* there now */
    int64_t sample_opens;     /* ever tried */
    int64_t sample_period_ns; /* of the last one opened */
    int64_t samples;          /* times that their timer was due */
    int64_t sample_cost_ns;   /* CPU time of the thread, for each of them */
    int64_t perf_pages;       /* of the detector perf, there now */

    /* Called, once each, in the middle of the next kernel reading / before the next look at the
     * counter. */
    void (*in_next_call)(void);
    void (*before_next_look)(void);

    /* Called, once, when the thread is there no longer. */
    void (*when_outside)(void);

    /* The thread is in the kernel, or in the middle of one of its own instructions: no signal now. */
    volatile int inside;
};

extern struct machine machine;

/* A sound machine, as it is after boot. Does not make the library forget what it has proved: tests
 * that need it fresh run in_fresh_process(). */
void machine_boot(void);

/* The thread computes, or works in the kernel, without being switched out. */
void machine_run(int64_t ns, enum machine_mode mode);

/* The thread sleeps. */
void machine_sleep(int64_t ns);

/* Another thread has the CPU for a while. */
void machine_preempt(int64_t ns);

/* A signal is delivered to the thread: clears rseq_cs, writes the ids, and leaves the perf page alone. */
void machine_signal(void);

/* The other thread has the CPU. */
void machine_other_run(int64_t ns, enum machine_mode mode);

/* The hypervisor takes the CPU away: nobody is told. */
void machine_steal(int64_t ns);

/* The process was stopped, and is restored after so long as another one, on this machine or on one whose clocks and
 * counter are so much ahead. Its threads have used nothing yet, in the kernel's eyes. */
void machine_restore(int64_t after_ns, int64_t ahead_ns);

/* Runs a test in a child process in which the library has done nothing yet; its results count. */
void in_fresh_process(void (*test)(void));

/* One consistent reading as a point; the test ends if it fails. */
struct tclk_point read_now(void);

#endif
