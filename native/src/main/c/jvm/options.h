/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_OPTIONS_H
#define TCLK_JVM_OPTIONS_H

#include "clock/text.h"
#include "include/threadclock.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The agent's options: -agentpath:libthreadclock.so=source=rseq,split=sampled,window=2ms,stats
 * Options are separated by commas; the last one of a kind counts; an empty text means the defaults.
 */
struct tclk_agent_options {
    struct tclk_config config;
    bool stats;
    bool measures_virtual; /* virtual threads that start from now on */
};

/* Parses `text`, which may be NULL. Returns true; or false with a copy of the wrong option in `wrong` (cut to
 * `size`), and `options` untouched. */
bool tclk_options_parse(const char *text, struct tclk_agent_options *options, char *wrong, size_t size);

/* Adds all options that are known, for a user who has mistyped one. */
void tclk_options_add_known(struct tclk_text *text);

#endif
