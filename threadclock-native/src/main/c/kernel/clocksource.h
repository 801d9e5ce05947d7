/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_CLOCKSOURCE_H
#define TCLK_KERNEL_CLOCKSOURCE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The clock sources that the kernel would keep time by: /sys/devices/system/clocksource/clocksource0/available_clocksource,
 * one line of names. What it has given up, while booting or later, is not among them once the kernel keeps time by timers of
 * high resolution, nor what a boot parameter took from it (notsc, tsc=unstable). Which one it does keep time by says less:
 * guests of KVM, Xen and Hyper-V have a better one than a sound TSC.
 */

/* Whether the line names this clock source, or what it is called while the kernel measures it (tsc-early). */
bool tclk_clocksources_name(const char *line, size_t length, const char *name);

/* Whether the kernel has this clock source. *has is untouched on error: -errno of what opening or reading the file answered
 * (a sandbox may hide it), or -EBADMSG: it is empty. root is "/sys" but in tests. Async-signal-safe; about 5 us. */
int tclk_clocksource_is_kept(const char *root, const char *name, bool *has);

#endif
