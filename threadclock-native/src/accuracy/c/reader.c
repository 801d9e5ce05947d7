/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

#include "kernel/clockid.h"
#include "kernel/proc_stat.h"
#include "kernel/raw_clock.h"
#include "kernel/tid.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    enum tclk_split split; /* of the library's */
} readers[READERS] = {
    [READER_PROC] = {.name = "proc"},
    [READER_TICKS] = {.name = "ticks"},
    [READER_KERNEL] = {"kernel", TCLK_SPLIT_KERNEL},
    [READER_SMOOTHED] = {"smoothed", TCLK_SPLIT_SMOOTHED},
    /* A library that does not know it refuses the number. */
    [READER_SAMPLED] = {"sampled", (enum tclk_split)(TCLK_SPLIT_TICKS + 1)},
};

const char *reader_name(enum reader reader)
{
    return readers[reader].name;
}

enum reader reader_of_name(const char *name)
{
    int reader = 0;
    while (reader < READERS && strcmp(readers[reader].name, name) != 0) {
        reader++;
    }
    return (enum reader)reader;
}

int reader_configure(enum reader reader)
{
    struct tclk_config config = {.split = readers[reader].split};
    return tclk_clock_configure(&config);
}

/* There is no other way to ask than in words. */
bool reader_is_replaced(char *line, size_t size)
{
    char text[2048];
    tclk_clock_explain(text, sizeof text);
    const char *said = strstr(text, " is used instead");
    if (said == NULL) {
        return false;
    }
    const char *start = said;
    while (start > text && start[-1] != '\n') {
        start--;
    }
    snprintf(line, size, "%.*s", (int)strcspn(start, "\n"), start);
    return true;
}

/* ---- readings ---- */

static int64_t outside_by(int64_t ns, int64_t low_ns, int64_t high_ns)
{
    return ns < low_ns ? ns - low_ns : ns > high_ns ? ns - high_ns : 0;
}

static int ask_library(unsigned wanted, struct reading *reading)
{
    struct tclk_times times;
    int64_t after_ns;
    int error = tclk_clock_read_own(TCLK_CLOCK_SCHED, &reading->work_end_ns);
    error = error != 0 ? error : tclk_thread_read(&times);
    error = error != 0 ? error : tclk_clock_read_own(TCLK_CLOCK_SCHED, &after_ns);
    if (error != 0) {
        return error;
    }
    reading->work_start_ns = after_ns;
    reading->cpu_ns = reading->work_end_ns + (after_ns - reading->work_end_ns) / 2;
    reading->cpu_error_ns = outside_by(times.cpu_ns, reading->work_end_ns, after_ns);
    for (int reader = READER_KERNEL; reader < READERS; reader++) {
        reading->user_ns[reader] = (wanted & READER_BIT(reader)) != 0 ? times.user_ns : 0;
    }
    return 0;
}

/* proc as JDK 8 to 25 do: opened anew each time. */
static int ask_outsiders(unsigned wanted, struct reading *reading)
{
    int error = 0;
    if ((wanted & READER_BIT(READER_TICKS)) != 0) {
        error = tclk_clock_read_own(TCLK_CLOCK_VIRT, &reading->user_ns[READER_TICKS]);
    }
    if (error == 0 && (wanted & READER_BIT(READER_PROC)) != 0) {
        error = tclk_proc_stat_user_ns("/proc", tclk_tid_own(), &reading->user_ns[READER_PROC]);
    }
    return error != 0 ? error : tclk_clock_read_own(TCLK_CLOCK_SCHED, &reading->work_start_ns);
}

int reading_take(unsigned wanted, struct reading *reading)
{
    *reading = (struct reading){.wall_ns = (int64_t)tclk_raw_clock_ns()};
    int error = ask_library(wanted, reading);
    if (error == 0 && (wanted & READER_OUTSIDERS) != 0) {
        error = ask_outsiders(wanted, reading);
    }
    return error;
}

void reading_glance(unsigned wanted)
{
    struct tclk_times times;
    if ((wanted & ~READER_OUTSIDERS) != 0) {
        tclk_thread_read(&times);
    }
}
