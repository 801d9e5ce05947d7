/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_KERNEL_SHARE_H
#define TCLK_CLOCK_DIVIDE_KERNEL_SHARE_H

#include "clock/divide/look.h"
#include "clock/record.h"

#include <stdint.h>

/* The share of user time that the kernel's ticks show. The two functions that take a look do not belong inline: it has
 * the kernel's struct, and they need the stack only for a while. */

/* Takes all ticks, from the usage of this look. */
void tclk_kernel_share(const struct tclk_record *record, int64_t cpu_ns, struct tclk_look *look);

/* Takes the raw ticks since ticks were trusted again, or were found wrong. */
void tclk_kernel_share_since(const struct tclk_record *record, int64_t cpu_ns, struct tclk_look *look);

/* Takes all ticks, now. Returns 0 or -errno. */
int tclk_kernel_share_now(uint32_t *share);

#endif
