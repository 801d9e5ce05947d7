/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

/* Windows of one length, of all threads, and room for a figure of each. */
struct pool {
    const char *workload;
    const char *over;
    const struct window *windows;
    size_t count;
    double *figures;
};

/* ---- rows: measurements, lines that Exchange.java reads ---- */

static void print_subject(const struct pool *pool, const char *reader, const char *quantity, const char *unit)
{
    printf("{\"answer\": {\"subject\": {\"benchmark\": \"accuracy.%s\", \"contender\": \"%s\", ", pool->over, reader);
    printf("\"quantity\": \"%s\", \"workload\": \"%s\"}, \"unit\": \"%s\", ", quantity, pool->workload, unit);
}

/* Prints one figure of all windows together. */
static void print_mean(const struct pool *pool, const char *reader, const char *quantity, const char *unit,
                       double value)
{
    print_subject(pool, reader, quantity, unit);
    printf("\"samples\": %zu, \"statistics\": {\"mean\": %.3f}}}\n", pool->count, value);
}

/* Prints a figure for each window. */
static void print_figures(const struct pool *pool, const char *reader, const char *quantity, const char *unit)
{
    print_subject(pool, reader, quantity, unit);
    printf("\"rounds\": [");
    for (size_t i = 0; i < pool->count; i++) {
        printf("%s%.3f", i > 0 ? ", " : "", pool->figures[i]);
    }
    puts("]}}");
}

/* ---- quantities ---- */

static double percent(double ns, const struct window *window)
{
    return 100 * ns / (double)window->cpu_ns;
}

static void print_user_errors(const struct pool *pool, enum reader reader, const char *name)
{
    for (size_t i = 0; i < pool->count; i++) {
        const struct window *window = &pool->windows[i];
        pool->figures[i] = percent((double)window->read_ns[reader] - window->user_ns, window);
    }
    print_figures(pool, name, "user", "points");
}

/* The outsiders' CPU time is the kernel's clock itself. */
static void print_cpu_errors(const struct pool *pool, enum reader reader)
{
    for (size_t i = 0; i < pool->count; i++) {
        pool->figures[i] = (double)pool->windows[i].cpu_error_ns;
    }
    print_figures(pool, reader_name(reader), "cpu", "ns");
}

/* The additional cost of the same work, compared with reading only the counter. */
static void print_cost(const struct pool *pool, enum reader reader)
{
    double extra_ns = 0;
    double cpu_ns = 0;
    for (size_t i = 0; i < pool->count; i++) {
        extra_ns += pool->windows[i].extra_ns;
        cpu_ns += (double)pool->windows[i].cpu_ns;
    }
    print_mean(pool, reader_name(reader), "cost", "%", 100 * extra_ns / cpu_ns);
}

static void print_errors(const struct pool *pool, unsigned readers)
{
    for (int reader = 0; reader < READERS && pool->count > 0; reader++) {
        if ((readers & READER_BIT(reader)) != 0) {
            print_user_errors(pool, (enum reader)reader, reader_name((enum reader)reader));
        }
        if ((readers & READER_BIT(reader) & ~READER_OUTSIDERS) != 0) {
            print_cpu_errors(pool, (enum reader)reader);
            print_cost(pool, (enum reader)reader);
        }
    }
}

static void print_truth(struct pool pool)
{
    double user_ns = 0;
    double cpu_ns = 0;
    double away_ns = 0;
    pool.over = "truth";
    for (size_t i = 0; i < pool.count; i++) {
        const struct window *window = &pool.windows[i];
        user_ns += window->user_ns;
        cpu_ns += (double)window->cpu_ns;
        away_ns += window->away_ns;
        pool.figures[i] = percent(window->check_ns - window->user_ns, window);
    }
    print_mean(&pool, "-", "user-share", "%", 100 * user_ns / cpu_ns);
    print_mean(&pool, "-", "away", "%", 100 * away_ns / (cpu_ns + away_ns));
    print_figures(&pool, "-", "crosscheck", "points");
}

/* ---- windows of all lengths ---- */

static size_t most_windows(const struct report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < report->series_count; i++) {
        count += report->series[i].count;
    }
    return count;
}

static void join(const struct report *report, int64_t length_ns, bool is_wall, struct window *windows,
                 struct pool *pool)
{
    pool->windows = windows;
    pool->count = 0;
    for (size_t i = 0; i < report->series_count; i++) {
        pool->count += series_join(&report->series[i], length_ns, is_wall, windows + pool->count);
    }
}

static void print_lengths(const struct report *report, struct window *windows, struct pool *pool)
{
    const struct workload *workload = report->workload;
    bool is_10ms = strcmp(workload->unit, "10ms") == 0;
    pool->over = workload->unit;
    join(report, 0, false, windows, pool);
    if (report->has_truth && pool->count > 0) {
        print_truth(*pool);
    }
    print_errors(pool, report->readers);
    if (workload->threads == WORKLOAD_SHORT_THREADS) {
        return;
    }
    if (!is_10ms) {
        pool->over = "10ms";
        join(report, 10 * NS_PER_MS, false, windows, pool);
        print_errors(pool, report->readers);
    }
    if (report->has_seconds) {
        pool->over = "1s";
        join(report, NS_PER_S, workload->sleeps, windows, pool);
        print_errors(pool, report->readers);
    }
}

int report_print(const struct report *report)
{
    size_t most = most_windows(report) + 1;
    struct window *windows = calloc(most, sizeof *windows);
    struct pool pool = {.workload = report->workload->name, .figures = calloc(most, sizeof(double))};
    int error = windows == NULL || pool.figures == NULL ? -ENOMEM : 0;
    if (error == 0) {
        print_lengths(report, windows, &pool);
    }
    free(windows);
    free(pool.figures);
    return error;
}

/* ---- by period ---- */

int report_user_errors(const struct report_row *row, const struct series *series)
{
    struct pool pool = {row->workload, row->over, series->windows, series->count,
                        calloc(series->count + 1, sizeof(double))};
    if (pool.figures == NULL) {
        return -ENOMEM;
    }
    if (pool.count > 0) {
        print_user_errors(&pool, READER_SAMPLED, row->reader);
    }
    free(pool.figures);
    return 0;
}

void report_more(const struct report_row *row, double *more, size_t rounds)
{
    struct pool pool = {.workload = row->workload, .over = row->over, .count = rounds, .figures = more};
    print_figures(&pool, row->reader, "more", "%");
}

/* ---- waits ---- */

void report_waits(const struct report_row *row, double *errors, size_t count, double waited)
{
    struct pool pool = {.workload = row->workload, .over = "truth", .count = count};
    print_mean(&pool, "-", "waiting", "%", waited);
    pool.over = row->over;
    pool.figures = errors;
    print_figures(&pool, row->reader, "wait", "%");
}
