/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_RAW_CLOCK_H
#define TCLK_KERNEL_RAW_CLOCK_H

#include <stdint.h>

/* CLOCK_MONOTONIC_RAW: wall time that nobody steers. A vDSO call where the kernel has one. */
uint64_t tclk_raw_clock_ns(void);

/* CLOCK_MONOTONIC_COARSE: as old as the last tick, and a few ns to read. */
uint64_t tclk_coarse_clock_ns(void);

/* CLOCK_BOOTTIME: time since the machine was started, suspended time included, in which the kernel also
 * tells when a thread was started. One system call. */
int64_t tclk_boot_clock_ns(void);

/* The same; a vDSO call where the kernel has one. Only for a thread that may read the counter: the vDSO
 * does. */
int64_t tclk_boot_clock_quick_ns(void);

#endif
