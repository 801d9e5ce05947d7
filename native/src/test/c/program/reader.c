/* SPDX-License-Identifier: Apache-2.0 */

/*
 * reader SOURCE MILLISECONDS [laws]: three threads that allocate and free, and read the clock from that
 * source, for so long or until SIGTERM; short ones that come and go beside them. TAP; ends with 77 where
 * the source is refused. The laws are those of witness.h, or with `order`, for where time itself is made
 * up (Valgrind), only that readings are consistent and never step back.
 */

#include "real/leftovers.h"
#include "real/threads.h"
#include "real/witness.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <tap.h>

#define THREADS 3
#define BLOCKS 64
#define REFUSED 77

static int64_t end_ns;
static bool ends;
static bool only_order;
static int64_t out_of_order;

static bool goes_on(void)
{
    return !__atomic_load_n(&ends, __ATOMIC_ACQUIRE) && wall_ns() < end_ns;
}

static void on_term(int number)
{
    (void)number;
    __atomic_store_n(&ends, true, __ATOMIC_RELEASE);
}

/* Sizes from 16 bytes to 32 KiB, freed by the turn after next. */
static void allocate(void **blocks, unsigned turn)
{
    void **block = &blocks[turn % BLOCKS];
    size_t bytes = (size_t)16 << turn % 12;
    free(*block);
    *block = malloc(bytes);
    if (*block == NULL) {
        abort();
    }
    memset(*block, (int)turn, bytes);
}

static void read_in_order(struct tclk_times *last)
{
    struct tclk_times now = {-1, -1, -1};
    int error = tclk_thread_read(&now);
    bool right = error == 0 && times_are_consistent(now) && now.cpu_ns >= last->cpu_ns && now.user_ns >= last->user_ns;
    __atomic_fetch_add(&out_of_order, !right, __ATOMIC_RELAXED);
    *last = now;
}

static void *read_and_allocate(void *argument)
{
    struct witness *w = argument;
    struct tclk_times last = {0};
    void *blocks[BLOCKS] = {0};
    *w = (struct witness){0};
    if (!only_order) {
        witness_begin_epoch(w);
    }
    for (unsigned turn = 0; turn == 0 || goes_on(); turn++) {
        allocate(blocks, turn);
        if (!only_order) {
            witness_read(w);
        }
        read_in_order(&last);
    }
    for (int i = 0; i < BLOCKS; i++) {
        free(blocks[i]);
    }
    return NULL;
}

static void *read_once(void *unused)
{
    struct tclk_times last = {0};
    read_in_order(&last);
    free(malloc(100));
    return unused;
}

static void read_in_threads(const char *source)
{
    struct witness each[THREADS];
    struct witness sum = {0};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        threads[i] = thread_start(read_and_allocate, &each[i]);
    }
    do {
        in_thread(read_once, NULL);
        sleep_ns(MS);
    } while (goes_on());
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        witness_add(&sum, &each[i]);
    }
    is_ns(out_of_order, 0, "%s: no reading steps back", source);
    if (!only_order) {
        witness_confirms(&sum, source, "readers that allocate");
    }
}

static bool takes_source(const char *name)
{
    struct tclk_config config = {.source = TCLK_SOURCE_AUTO};
    char reason[256];
    while (strcmp(tclk_source_name(config.source), name) != 0 && config.source < TCLK_SOURCE_PROC) {
        config.source++;
    }
    int error = tclk_clock_configure(&config);
    if (error != 0) {
        tclk_source_explain(config.source, reason, sizeof reason);
        printf("%s\n", reason);
    }
    return error == 0;
}

int main(int count, char **arguments)
{
    struct tclk_stats stats;
    struct tclk_times times;
    struct sigaction action = {.sa_handler = on_term};
    if (count < 3) {
        return 2;
    }
    if (!takes_source(arguments[1])) {
        return REFUSED;
    }
    sigaction(SIGTERM, &action, NULL);
    only_order = count > 3 && strcmp(arguments[3], "order") == 0;
    end_ns = wall_ns() + atoi(arguments[2]) * MS;
    tclk_thread_read(&times);
    struct leftovers before = leftovers_now();
    read_in_threads(tclk_source_name(tclk_clock_source()));
    leftovers_none(before, arguments[1]);
    tclk_clock_stats(&stats);
    is_ns(stats.demotions, 0, "no detector is given up");
    return done();
}
