/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_PERF_H
#define TCLK_TEST_PERF_H

/* Tells whether this process may have a perf page. */

#include "kernel/perf_page.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Returns NULL, with the reason in words, if no page is available. */
static inline struct tclk_perf_page *perf_page_or_reason(char *reason, size_t size)
{
    struct tclk_perf_page *page = NULL;
    enum tclk_perf_step step;
    int error = tclk_perf_page_map(&page, &step);
    snprintf(reason, size, "a perf event: %s answers %s", step == TCLK_PERF_OPEN ? "perf_event_open" : "mmap",
             strerror(-error));
    return error == 0 ? page : NULL;
}

#endif
