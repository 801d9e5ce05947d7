/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_KERNEL_SHARE_H
#define TCLK_CLOCK_DIVIDE_KERNEL_SHARE_H

#include "clock/divide/look.h"
#include "clock/record.h"

#include <stdbool.h>
#include <stdint.h>

/* The share of user time that the kernel's ticks show. */

/* Takes the usage of this look. Not inline: it needs the stack only for a while. */
void tclk_kernel_share(const struct tclk_record *record, int64_t cpu_ns, struct tclk_look *look);

/* The share of the time since the last look, if nobody has read for so long that ticks tell it better than a few
 * samples before. */
bool tclk_kernel_share_of_gap(const struct tclk_record *record, int64_t cpu_ns, const struct tclk_look *look,
                              uint32_t *share);

/* Asks now. Returns 0 or -errno. */
int tclk_kernel_share_now(uint32_t *share);

#endif
