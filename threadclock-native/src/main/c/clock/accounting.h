/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_ACCOUNTING_H
#define TCLK_CLOCK_ACCOUNTING_H

#include <stdbool.h>

/*
 * Does the kernel account user time by ticks, or at every entry and exit (VIRT_CPU_ACCOUNTING that is
 * compiled in and active: CPUs named in nohz_full=)? Spins 50 us of CPU time, up to three times: by
 * ticks, the raw user time moves by 0 or by a whole tick; precisely, by a part of the 50 us every time.
 * Speaks for the CPU that the caller runs on. About 0.1 ms. Async-signal-safe.
 */
bool tclk_accounting_is_precise(void);

#endif
