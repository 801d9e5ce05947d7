/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_RAW_CLOCK_H
#define TCLK_KERNEL_RAW_CLOCK_H

#include <stdint.h>

/*
 * The kernel's wall clocks, asked past libc: what a preloaded library makes up does not reach them. Each returns 0 if
 * the kernel refuses it, and then the kernel has refused the threads' CPU clocks, too. Thread-safe; async-signal-safe.
 */

/* CLOCK_MONOTONIC_RAW: wall time that no NTP daemon steers. It is a vDSO call where the kernel has one. */
uint64_t tclk_raw_clock_ns(void);

/* CLOCK_MONOTONIC: wall time as System.nanoTime() tells it. As cheap as the one above. */
int64_t tclk_monotonic_clock_ns(void);

/* CLOCK_MONOTONIC_COARSE: wall time as of the last tick, which takes a few ns to read. */
uint64_t tclk_coarse_clock_ns(void);

/* CLOCK_BOOTTIME: time since boot, suspended time included. The kernel tells in it when a thread was started. One
 * system call. */
int64_t tclk_boot_clock_ns(void);

#endif
