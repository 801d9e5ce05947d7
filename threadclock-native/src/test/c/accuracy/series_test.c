/* SPDX-License-Identifier: Apache-2.0 */

/* Tests windows of the accuracy laboratory, and longer windows that are made of them. */

#include "accuracy/c/series.h"

#include <tap.h>

#define MS INT64_C(1000000)

static struct series series;
static struct window joined[SERIES_MAX];

static struct reading reading_at(int64_t ms)
{
    struct reading reading = {.cpu_ns = ms * MS, .wall_ns = 4 * ms * MS, .cpu_error_ns = ms % 4 == 0 ? 0 : 7};
    reading.user_ns[READER_SMOOTHED] = ms * MS / 2;
    return reading;
}

/* Fills in windows, each with 2 ms of CPU time, 8 ms of wall time and 1.5 ms of user time, which is read as 1 ms. */
static void fill(int count)
{
    series.count = 0;
    for (int64_t i = 0; i < count; i++) {
        struct reading from = reading_at(2 * i);
        struct reading to = reading_at(2 * i + 2);
        series_add(&series, &from, &to, (struct truth){.user_ns = 1.5 * MS});
    }
}

static void windows(void)
{
    fill(2);
    is_ns(series.windows[0].cpu_ns, 2 * MS, "a window has the CPU time between its readings");
    is_ns(series.windows[1].read_ns[READER_SMOOTHED], 1 * MS, "... and the user time as read");
    is_ns(series.windows[0].cpu_error_ns, 7, "... and the error of CPU time that has come in it");
    is_ns(series.windows[1].cpu_error_ns, -7, "an error that goes counts the other way");
}

static void longer_windows(void)
{
    fill(13);
    is_ns(series_join(&series, 10 * MS, false, joined), 2, "the rest at the end is dropped");
    is_ns(joined[1].cpu_ns, 10 * MS, "five windows of 2 ms make one of 10 ms");
    is_ns(joined[1].user_ns, 7.5 * MS, "true user time adds up");
    is_ns(joined[1].read_ns[READER_SMOOTHED], 5 * MS, "user time as read adds up");
    is_ns(series_join(&series, 16 * MS, true, joined), 6, "a thread that sleeps has windows of wall time");
    is_ns(series_join(&series, 0, false, joined), 13, "without a length, each window stays as it is");
}

static void calibration_errors(void)
{
    fill(10);
    is_ns(series_join(&series, 10200000, false, joined), 2, "windows that are a little short are long enough");
}

static void planted_faults(void)
{
    fill(1);
    series_plant(&series, true, false);
    is_ns(series.windows[0].user_ns, 0.5 * MS, "a planted truth has user for system time");
    series_plant(&series, false, true);
    is_ns(series.windows[0].read_ns[READER_PROC], 2 * MS, "planted readings have user time for system time");
}

static void full_series(void)
{
    struct reading none = {0};
    series.count = SERIES_MAX;
    series_add(&series, &none, &none, (struct truth){0});
    is_ns(series.count, SERIES_MAX, "a full series drops what comes");
}

int main(void)
{
    is_ns(series_start(&series), 0, "a series starts");
    windows();
    longer_windows();
    calibration_errors();
    planted_faults();
    full_series();
    return done();
}
