/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_VERDICTS_H
#define TCLK_TEST_VERDICTS_H

/* Helpers for tests of which source is chosen, what is said of the others, and how one is made to miss a switch. */

#include "machine.h"
#include "stats.h"

#include <string.h>
#include <tap.h>

#define MS INT64_C(1000000)

static inline void chooses(enum tclk_source expected, const char *on_what)
{
    enum tclk_source source = tclk_clock_source();
    ok(source == expected, "%s, %s is chosen (got %s)", on_what, tclk_source_name(expected), tclk_source_name(source));
}

static inline void says(enum tclk_source source, const char *part)
{
    char text[200];
    tclk_source_explain(source, text, sizeof text);
    if (!ok(strstr(text, part) != NULL, "%s: …%s…", tclk_source_name(source), part)) {
        diag("it says: %s", text);
    }
}

/* The thread sleeps longer than a window, and the detector says nothing. */
static inline void miss_a_switch(void)
{
    machine.keeps_markers = true;
    machine_run(100000, USER_MODE);
    machine_sleep(10 * MS);
    read_now();
}

static inline uint64_t demotions(void)
{
    return stats_now().demotions;
}

#endif
