/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/directory.h"

#include "kernel/clockid.h"
#include "kernel/memory.h"
#include "kernel/tid.h"

#include <stdint.h>

#define PIECE_TIDS 4096u
#define PIECES (TCLK_TIDS / PIECE_TIDS)

/* For each tid, the index of its record + 1, or 0. */
static uint32_t *pieces[PIECES];

static bool is_tid(pid_t tid)
{
    return tid > 0 && (uint32_t)tid < TCLK_TIDS;
}

static uint32_t *present_place(pid_t tid)
{
    if (!is_tid(tid)) {
        return NULL;
    }
    uint32_t *piece = __atomic_load_n(&pieces[(uint32_t)tid / PIECE_TIDS], __ATOMIC_ACQUIRE);
    return piece == NULL ? NULL : piece + (uint32_t)tid % PIECE_TIDS;
}

/* Two threads may map the same piece; only one mapping is kept. */
static uint32_t *ensure_place(pid_t tid)
{
    uint32_t *place = present_place(tid);
    if (place != NULL || !is_tid(tid)) {
        return place;
    }
    uint32_t *none = NULL;
    uint32_t *piece = tclk_memory_map(PIECE_TIDS * sizeof *piece);
    if (piece == NULL) {
        return NULL;
    }
    bool is_wiped = tclk_memory_wipe_on_fork(piece, PIECE_TIDS * sizeof *piece);
    if (!is_wiped || !__atomic_compare_exchange_n(&pieces[(uint32_t)tid / PIECE_TIDS], &none, piece, false,
                                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        tclk_memory_unmap(piece, PIECE_TIDS * sizeof *piece);
    }
    return present_place(tid);
}

static struct tclk_record *record_of(uint32_t entry)
{
    return entry == 0 ? NULL : tclk_record_at(entry - 1);
}

struct tclk_record *tclk_directory_find(pid_t tid)
{
    const uint32_t *place = present_place(tid);
    return place == NULL ? NULL : record_of(__atomic_load_n(place, __ATOMIC_ACQUIRE));
}

struct tclk_record *tclk_directory_enter(struct tclk_record *record)
{
    uint32_t *place = ensure_place(tclk_record_tid(record));
    uint32_t entry = 0;
    if (place == NULL) {
        return NULL;
    }
    return __atomic_compare_exchange_n(place, &entry, tclk_record_index(record) + 1, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_ACQUIRE)
               ? record
               : record_of(entry);
}

bool tclk_directory_remove(struct tclk_record *record, pid_t tid)
{
    uint32_t *place = present_place(tid);
    uint32_t entry = tclk_record_index(record) + 1;
    return place != NULL && __atomic_compare_exchange_n(place, &entry, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* The caller may have entered a record since the kernel has wiped the pages: in a handler of fork() that was called
 * before the library's. */
void tclk_directory_after_fork(void)
{
    uint32_t *place = present_place(tclk_tid_own());
    if (place != NULL && *place != 0) { /* a page that is only read costs no memory */
        *place = 0;
    }
}
