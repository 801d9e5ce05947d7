/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_CLOCKSOURCE_H
#define TCLK_KERNEL_CLOCKSOURCE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The clock sources that the kernel is willing to keep time by:
 * /sys/devices/system/clocksource/clocksource0/available_clocksource, one line of names. A clock source that the kernel
 * has given up is missing once it uses high-resolution timers; so is one that a boot parameter excludes (notsc,
 * tsc=unstable). The clock source in use says less: guests of KVM, Xen and Hyper-V prefer another one to a sound TSC.
 */

/* Whether the line names this clock source. While the kernel still measures the TSC, its name is tsc-early. */
bool tclk_clocksources_name(const char *line, size_t length, const char *name);

/* Whether the kernel has this clock source. *has is untouched on error: -errno of opening or reading the file (a
 * sandbox may hide it), or -EBADMSG if the file is empty. root is "/sys" except in tests. Async-signal-safe; about 5
 * us. */
int tclk_clocksource_is_kept(const char *root, const char *name, bool *has);

#endif
