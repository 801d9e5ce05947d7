/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SOURCE_H
#define TCLK_CLOCK_SOURCE_H

#include "clock/settings.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The source that the process reads from: the first of rseq, perf, ids and clock that is proved (clock/proof.h), or the
 * one that was asked for by name.
 */

/* Selects the source that `tclk_settings` asks for, if none is selected yet. Async-signal-safe. */
void tclk_source_ensure(void);

/* The same, and returns the source; leaves errno as it was. */
enum tclk_source tclk_source_ensured(void);

/* Gives `source` up, which the continuous check has caught missing a switch. The process goes on with the next
 * source, unless another one is in use by now. */
void tclk_source_demote(enum tclk_source source);

/* Withdraws every source that needs the counter, because the kernel has given it up. The process goes on with
 * `clock`. */
void tclk_source_give_counter_up(void);

uint64_t tclk_source_demotions(void);

/* If set, a demotion, or the loss of the counter, writes one line to stderr, by write(2). */
void tclk_source_announce_demotions(bool announce);

/* Chooses as tclk_clock_configure() says. */
int tclk_source_configure(const struct tclk_config *config);

#endif
