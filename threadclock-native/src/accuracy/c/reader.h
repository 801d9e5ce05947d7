/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_READER_H
#define ACCURACY_READER_H

#include "include/threadclock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The readers of a thread's times. `proc` and `ticks` ask the kernel, whatever the library does; the others are the
 * library with one of its splits, of which a process has one at a time.
 */
enum reader {
    READER_PROC,
    READER_TICKS,
    READER_KERNEL,
    READER_SMOOTHED,
    READER_SAMPLED,
    READERS,
};

#define READER_BIT(reader) (1u << (reader))
#define READER_ALL (READER_BIT(READERS) - 1)
#define READER_OUTSIDERS (READER_BIT(READER_PROC) | READER_BIT(READER_TICKS))

const char *reader_name(enum reader reader);

/* READERS if there is none of this name. */
enum reader reader_of_name(const char *name);

/* Sets the split of this process. Returns 0 or what tclk_clock_configure() answered. */
int reader_configure(enum reader reader);

/* A split that this process or one of its threads may not use is taken, and another one used instead: then
 * returns true, with the line in which the library says so. Ask when the threads have read. */
bool reader_is_replaced(char *line, size_t size);

/* All readers at (nearly) one moment. The library's reading lies between two of the kernel's clock, so
 * that it can be held against both. */
struct reading {
    int64_t work_end_ns;   /* the kernel's CPU time when the window before this reading ended */
    int64_t cpu_ns;        /* about when the library was asked */
    int64_t work_start_ns; /* when the window after it began */
    int64_t cpu_error_ns;  /* how far the library's CPU time is outside of the kernel's */
    int64_t wall_ns;
    int64_t user_ns[READERS];
};

/* `readers` has at most one of the library's. Returns 0 or what a reader answered. */
int reading_take(unsigned readers, struct reading *reading);

/* The library's reading alone, which is thrown away: as a program does that reads often. */
void reading_glance(unsigned readers);

#endif
