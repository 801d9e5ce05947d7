/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_SUSPICION_H
#define TCLK_CLOCK_DIVIDE_SUSPICION_H

#include "clock/divide/look.h"
#include "clock/record.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether the calling thread's ticks are to be believed, and what follows if they are not (clock/divide/tick_test.h).
 */

/* Whether it matters: the split is made of ticks. */
bool tclk_suspicion_may_be(const struct tclk_look *look);

/* Whether the ticks should be tested at this look. */
bool tclk_suspicion_is_due(const struct tclk_record *record, int64_t cpu_ns, const struct tclk_look *look);

/* Tests them, if it matters and the kernel tells: `tested`. Takes the usage of this look. */
void tclk_suspicion_test(const struct tclk_record *record, int64_t cpu_ns, struct tclk_look *look);

/* Whether the kernel's split shows that ticks have come. Tests them if none has for long. */
void tclk_suspicion_listen(const struct tclk_record *record, int64_t cpu_ns, struct tclk_look *look);

/* Notes what this look shows about the thread's ticks; it has become a line that starts at `start`. */
void tclk_suspicion_note(struct tclk_record *record, int64_t cpu_ns, const struct tclk_look *look,
                         struct tclk_point start);

/* As tclk_tick_test_note_wake(). */
void tclk_suspicion_note_wake(struct tclk_record *record, int64_t wall_ns, int64_t cpu_ns);

#endif
