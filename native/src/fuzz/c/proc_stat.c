/* SPDX-License-Identifier: Apache-2.0 */

/* A line of /proc/PID/task/TID/stat. Any program chooses its comm, and the read may be cut anywhere. */

#include "kernel/proc_stat.h"

#include "law.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* The number of cuts of an input, because all cuts of a line would take most of the time. */
#define CUTS 16

static bool same_figures(const struct tclk_proc_stat *a, const struct tclk_proc_stat *b)
{
    return a->tid == b->tid && a->comm == b->comm && a->comm_len == b->comm_len && a->state == b->state &&
           a->utime_ticks == b->utime_ticks && a->stime_ticks == b->stime_ticks &&
           a->starttime_ticks == b->starttime_ticks;
}

/* From behind comm on: a cut in it may leave another ')' as the last one. */
static void cut_anywhere(const char *line, size_t size, const struct tclk_proc_stat *whole)
{
    struct tclk_proc_stat cut;
    size_t comm_end = (size_t)(whole->comm + whole->comm_len - line) + 1;
    size_t step = (size - comm_end) / CUTS + 1;
    for (size_t length = comm_end + size % step; length < size; length += step) {
        int error = tclk_proc_stat_parse(line, length, &cut);
        law(error == -EBADMSG || (error == 0 && same_figures(&cut, whole)),
            "a line that is cut short gives the same figures or an error");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *line = (const char *)data;
    struct tclk_proc_stat stat;
    struct tclk_proc_stat before;
    memset(&stat, 0x5a, sizeof stat);
    memcpy(&before, &stat, sizeof stat);
    int error = tclk_proc_stat_parse(line, size, &stat);
    if (error != 0) {
        law(error == (size == 0 ? -ESRCH : -EBADMSG), "a line that cannot be read is -EBADMSG");
        law(memcmp(&stat, &before, sizeof stat) == 0, "an error leaves the result untouched");
        return 0;
    }
    law(stat.tid >= 0, "a tid is not negative");
    law(stat.comm > line && stat.comm[-1] == '(' && stat.comm + stat.comm_len < line + size &&
            stat.comm[stat.comm_len] == ')',
        "comm is what stands in parentheses");
    cut_anywhere(line, size, &stat);
    return 0;
}
