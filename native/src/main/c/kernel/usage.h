/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_USAGE_H
#define TCLK_KERNEL_USAGE_H

#include <stdint.h>

/*
 * getrusage(RUSAGE_THREAD), since Linux 2.6.26. User and system time are the tick counts scaled by
 * the kernel so that their sum is the scheduler's run time; that run time is as old as the last tick
 * unless the thread's CPU clock was read just before (which brings it up to date).
 */
struct tclk_usage {
    int64_t user_ns;             /* multiple of 1000 */
    int64_t system_ns;           /* multiple of 1000 */
    uint32_t voluntary_switches; /* modulo 2^32 */
    uint32_t involuntary_switches;
};

static inline int64_t tclk_usage_switches(const struct tclk_usage *usage)
{
    return (int64_t)usage->voluntary_switches + usage->involuntary_switches;
}

/* Reads the calling thread's usage. One system call. Returns 0 or -errno; *usage is untouched on error. */
int tclk_usage_read(struct tclk_usage *usage);

/* The calling thread's switches, whole. */
struct tclk_switches {
    int64_t voluntary;
    int64_t involuntary;
};

/* Reads how often the calling thread was switched out. One system call. Returns as tclk_usage_read(). */
int tclk_usage_read_switches(struct tclk_switches *switches);

/* Reads the usage of the process: of all its threads, ended ones included. The time that other threads have run
 * since their last tick is not in it yet. Returns as tclk_usage_read(). */
int tclk_usage_read_process(struct tclk_usage *usage);

#endif
