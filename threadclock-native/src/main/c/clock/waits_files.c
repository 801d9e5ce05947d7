/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/waits_files.h"

#include "kernel/signals.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

struct place {
    pid_t tid; /* 0 = free */
    struct tclk_schedstat_file file;
};

static struct place places[TCLK_WAITS_FILES];

/* Those that were ever taken come first. */
static uint32_t used;

static uint32_t places_used(void)
{
    return __atomic_load_n(&used, __ATOMIC_ACQUIRE);
}

static bool is_of(const struct place *place, pid_t tid)
{
    return __atomic_load_n(&place->tid, __ATOMIC_ACQUIRE) == tid;
}

static void set_free(struct place *place)
{
    __atomic_store_n(&place->tid, 0, __ATOMIC_RELEASE);
}

static void note_used(uint32_t count)
{
    uint32_t before = places_used();
    while (before < count &&
           !__atomic_compare_exchange_n(&used, &before, count, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    }
}

static struct place *take_place(pid_t tid)
{
    for (uint32_t i = 0; i < TCLK_WAITS_FILES; i++) {
        pid_t none = 0;
        if (__atomic_compare_exchange_n(&places[i].tid, &none, tid, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            note_used(i + 1);
            return &places[i];
        }
    }
    return NULL;
}

/* Also the file that a thread had which has ended, and had this tid. */
static void close_all_of(pid_t tid)
{
    for (uint32_t i = 0; i < places_used(); i++) {
        if (is_of(&places[i], tid)) {
            tclk_schedstat_close(&places[i].file);
            set_free(&places[i]);
        }
    }
}

void tclk_waits_file_close(pid_t tid)
{
    if (places_used() > 0) {
        struct tclk_signals signals = tclk_signals_hold();
        close_all_of(tid);
        tclk_signals_release(signals);
    }
}

void tclk_waits_files_after_fork(void)
{
    for (uint32_t i = 0; i < places_used(); i++) {
        if (!is_of(&places[i], 0)) {
            tclk_schedstat_close(&places[i].file);
            set_free(&places[i]);
        }
    }
}

static struct place *place_at(uint16_t place, pid_t tid)
{
    return place > 0 && is_of(&places[place - 1], tid) ? &places[place - 1] : NULL;
}

static int open_own(pid_t tid, struct place **own)
{
    close_all_of(tid);
    struct place *place = take_place(tid);
    if (place == NULL) {
        return -EMFILE;
    }
    int error = tclk_schedstat_open(&place->file);
    if (error != 0) {
        set_free(place);
        return error;
    }
    *own = place;
    return 0;
}

/* A handler may have opened one just before. */
static int ensure_own(pid_t tid, uint16_t *place, struct place **own)
{
    int error = 0;
    struct tclk_signals signals = tclk_signals_hold();
    *own = place_at(*place, tid);
    if (*own == NULL) {
        error = signals.are_held ? open_own(tid, own) : -EAGAIN;
        *place = error == 0 ? (uint16_t)(*own - places + 1) : 0;
    }
    tclk_signals_release(signals);
    return error;
}

int tclk_waits_file_read(pid_t tid, uint16_t *place, struct tclk_schedstat *stat)
{
    struct place *own = place_at(*place, tid);
    int error = own != NULL ? 0 : ensure_own(tid, place, &own);
    if (error != 0) {
        return error;
    }
    struct tclk_schedstat_file file = own->file;
    error = tclk_schedstat_read_open(&file, stat);
    if (error != 0) { /* the program has closed it */
        tclk_waits_file_close(tid);
        *place = 0;
    }
    return error;
}
