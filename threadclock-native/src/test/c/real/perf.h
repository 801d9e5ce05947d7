/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_PERF_H
#define TCLK_TEST_PERF_H

/* Tells whether this process may have a perf page, and how many it has. */

#include "kernel/perf_page.h"

#include <dirent.h>
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

static inline int open_descriptors(void)
{
    int n = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory) != NULL) {
        n++;
    }
    closedir(directory);
    return n;
}

/* The mappings of perf events, as /proc/self/maps names them. */
static inline int perf_mappings(void)
{
    char line[512];
    int n = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps) != NULL) {
        n += strstr(line, "[perf_event]") != NULL;
    }
    fclose(maps);
    return n;
}

#endif
