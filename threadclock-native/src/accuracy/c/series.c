/* SPDX-License-Identifier: Apache-2.0 */
#include "series.h"

#include <errno.h>
#include <sys/mman.h>

/* Work is measured out by calibrated costs, so windows are a little longer or shorter than meant. */
#define LONG_ENOUGH 0.95

int series_start(struct series *series)
{
    void *memory =
        mmap(NULL, SERIES_MAX * sizeof *series->windows, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    series->count = 0;
    series->windows = memory;
    return memory == MAP_FAILED ? -errno : 0;
}

void series_add(struct series *series, const struct reading *from, const struct reading *to, struct truth truth)
{
    if (series->count == SERIES_MAX) {
        return;
    }
    struct window *window = &series->windows[series->count++];
    *window = (struct window){.cpu_ns = to->cpu_ns - from->cpu_ns,
                              .wall_ns = to->wall_ns - from->wall_ns,
                              .user_ns = truth.user_ns,
                              .check_ns = truth.check_ns,
                              .away_ns = truth.away_ns,
                              .extra_ns = truth.extra_ns,
                              .cpu_error_ns = to->cpu_error_ns - from->cpu_error_ns};
    for (int i = 0; i < READERS; i++) {
        window->read_ns[i] = to->user_ns[i] - from->user_ns[i];
    }
}

static void append(struct window *sum, const struct window *window)
{
    sum->cpu_ns += window->cpu_ns;
    sum->wall_ns += window->wall_ns;
    sum->user_ns += window->user_ns;
    sum->check_ns += window->check_ns;
    sum->away_ns += window->away_ns;
    sum->extra_ns += window->extra_ns;
    sum->cpu_error_ns += window->cpu_error_ns;
    for (int i = 0; i < READERS; i++) {
        sum->read_ns[i] += window->read_ns[i];
    }
}

size_t series_join(const struct series *series, int64_t length_ns, bool is_wall, struct window *joined)
{
    size_t count = 0;
    struct window sum = {0};
    for (size_t i = 0; i < series->count; i++) {
        append(&sum, &series->windows[i]);
        if ((double)(is_wall ? sum.wall_ns : sum.cpu_ns) >= LONG_ENOUGH * (double)length_ns) {
            joined[count++] = sum;
            sum = (struct window){0};
        }
    }
    return count;
}

void series_plant(struct series *series, bool in_truth, bool in_readings)
{
    for (size_t i = 0; i < series->count; i++) {
        struct window *window = &series->windows[i];
        if (in_truth) {
            window->user_ns = (double)window->cpu_ns - window->user_ns;
        }
        for (int reader = 0; in_readings && reader < READERS; reader++) {
            window->read_ns[reader] = window->cpu_ns - window->read_ns[reader];
        }
    }
}
