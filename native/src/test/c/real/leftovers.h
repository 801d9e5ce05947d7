/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_LEFTOVERS_H
#define TCLK_TEST_LEFTOVERS_H

/* Counts the things that a process has and the library takes: descriptors, perf pages, threads, records. A fault
 * must not leave one more behind. Without /proc, pages and threads are not counted. The gate judges descriptors and
 * records: a page may come from a bout at any time. */

#include "clocks.h"
#include "include/threadclock.h"
#include "threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tap.h>

#define LEFTOVERS_DESCRIPTORS_MAX 4096

/* The kernel removes a thread a moment after pthread_join() has returned. */
#define LEFTOVERS_PATIENCE_NS (60 * S)

struct leftovers {
    int64_t descriptors;
    int64_t pages; /* -1 = there is no /proc */
    int64_t threads;
    int64_t records; /* of threads that live */
};

static inline int64_t leftovers_descriptors(void)
{
    int64_t n = 0;
    for (int fd = 0; fd < LEFTOVERS_DESCRIPTORS_MAX; fd++) {
        n += fcntl(fd, F_GETFD) >= 0;
    }
    return n;
}

static inline int64_t leftovers_pages(void)
{
    char line[512];
    int64_t n = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) {
        return -1;
    }
    while (fgets(line, sizeof line, maps) != NULL) {
        n += strstr(line, "[perf_event]") != NULL;
    }
    fclose(maps);
    return n;
}

static inline void *leftovers_count_pages_of_reader(void *pages)
{
    tclk_thread_cpu_ns();
    *(int64_t *)pages = leftovers_pages();
    return NULL;
}

/* The sentence is that a thread that reads has one page. */
static inline void leftovers_page_of_thread(const char *sentence)
{
    int64_t before = leftovers_pages();
    int64_t meanwhile;
    in_thread(leftovers_count_pages_of_reader, &meanwhile);
    is_ns(meanwhile, before + 1, "%s", sentence);
    is_ns(leftovers_pages(), before, "which ends with it");
}

static inline int64_t leftovers_threads(void)
{
    struct dirent *entry;
    int64_t n = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) {
        return -1;
    }
    while ((entry = readdir(tasks)) != NULL) {
        n += entry->d_name[0] != '.';
    }
    closedir(tasks);
    return n;
}

/* A thread that sleeps has a page of its own at times, for some ms of its CPU time. No bout follows another at once, so
 * this takes the least of several counts, where pages are judged. */
#define LEFTOVERS_BOUT_LOOKS 20

static inline int64_t leftovers_pages_without_bout(void)
{
    int64_t least = leftovers_pages();
    for (int i = 0; least > 0 && !kind_is_gate() && i < LEFTOVERS_BOUT_LOOKS; i++) {
        spin_wall_ns(MS);
        tclk_thread_cpu_ns();
        sleep_ns(US);
        tclk_thread_cpu_ns();
        int64_t pages = leftovers_pages();
        least = pages < least ? pages : least;
    }
    return least;
}

/* Counts threads first, because a thread's things disappear with it, and not before. */
static inline struct leftovers leftovers_now(void)
{
    struct tclk_stats stats;
    struct leftovers now = {.threads = leftovers_threads()};
    tclk_clock_stats(&stats);
    now.descriptors = leftovers_descriptors();
    now.pages = leftovers_pages_without_bout();
    now.records = (int64_t)stats.threads;
    return now;
}

/* Threads end in any case; that others than ours come and go is judged in a wide run alone. */
static inline bool leftovers_may_go(struct leftovers before, struct leftovers now, int64_t until_ns)
{
    if (kind_is_gate()) {
        return now.threads > before.threads;
    }
    return (now.threads > before.threads || now.pages > before.pages) && wall_ns() < until_ns;
}

/* Call this in the thread that has taken `before`, after it has read, so that it has a record of its own. */
static inline void leftovers_none(struct leftovers before, const char *who)
{
    int64_t until_ns = wall_ns() + LEFTOVERS_PATIENCE_NS;
    struct leftovers now = leftovers_now();
    while (leftovers_may_go(before, now, until_ns)) {
        sleep_ns(MS);
        now = leftovers_now();
    }
    bool none = now.descriptors == before.descriptors && now.records == before.records;
    if (!kind_is_gate()) {
        none &= now.pages <= before.pages && now.threads <= before.threads; /* an ended one is seen for a moment */
    }
    ok(none, "%s: no descriptor, perf page, thread or record is left behind", who);
    if (!none) {
        diag("descriptors %" PRId64 " -> %" PRId64 ", perf pages %" PRId64 " -> %" PRId64 ", threads %" PRId64
             " -> %" PRId64 ", records %" PRId64 " -> %" PRId64,
             before.descriptors, now.descriptors, before.pages, now.pages, before.threads, now.threads, before.records,
             now.records);
    }
}

#endif
