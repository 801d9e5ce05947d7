/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_EXPLAIN_H
#define TCLK_CLOCK_EXPLAIN_H

#include "clock/proof.h"
#include "clock/text.h"

#include <stddef.h>

/* The parts of tclk_clock_explain(), for other texts about the clock. Not async-signal-safe. */

/* Writes why something is refused, or "sound here". */
void tclk_text_add_verdict(struct tclk_text *text, struct tclk_verdict verdict);

/* Writes the split in use, with its period: "sampled:500us".
 * @return the length of the whole text, as snprintf(3) */
size_t tclk_explain_split(char *buffer, size_t size);

/* As tclk_clock_explain() and tclk_source_explain(), for this copy. */
size_t tclk_explain_clock(char *buffer, size_t size);
size_t tclk_explain_source(enum tclk_source source, char *buffer, size_t size);

#endif
