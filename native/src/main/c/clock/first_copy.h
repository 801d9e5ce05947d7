/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_FIRST_COPY_H
#define TCLK_CLOCK_FIRST_COPY_H

#include "include/threadclock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * One clock for a process that has several copies of this code: libthreadclock.so of two paths or versions, and code
 * that contains kernel/ and clock/ without exporting a name of it (a program, an extension module, a preloaded
 * library). Each copy alone keeps every promise, but two clocks cannot: they extrapolate from anchors of their own, and
 * divide CPU time by curves of their own. Therefore the first copy is the clock, and the later ones ask it.
 *
 * Each copy has an ELF note (clock/notes.h), by which the others find its table of functions. The first copy is that of
 * the first object in the loader's list that has one. The list grows at its end, and a copy is never unloaded, so that
 * all copies find the same one, at any time, in any order of their constructors.
 *
 * Assumptions:
 *   1. An object that contains a copy is never unloaded (-z nodelete), which the core needs anyway: the kernel, libc
 *      (thread-specific keys, atfork handlers) and other copies point into it.
 *   2. Constructors of objects that other threads load see the objects before them in the list relocated. (glibc and
 *      musl load one object after the other, under a lock.)
 *   3. A copy does not read before its own constructor ran. If it does, it reads threads as observers do, so that
 *      nothing that is armed remains. The first copy's constructor may run later than that of a copy that asks it, as a
 *      preloaded library's does: until then the first copy proves no source, and asks the kernel.
 *
 * Guarantees:
 *   1. The reading of the first copy gets no slower: a later copy never arms an anchor, so only its slow path, which is
 *      the only one that it ever takes, looks whether there is a first copy.
 *   2. All copies whose interface is the same give one sequence for each thread, whatever their versions are.
 *   3. A copy whose interface is another one than the first copy's refuses: what returns an error returns -EEXIST.
 *   4. Objects in another namespace of the loader (dlmopen(3)) have a libc of their own, and a clock of their own.
 */

/* Grows with a change of the table that is not a new field at its end. */
#ifndef TCLK_COPY_INTERFACE
#define TCLK_COPY_INTERFACE 0
#endif

/* The functions that copies, of whatever version, call of one another. Each function keeps the contract of its
 * namesake. None returns -EEXIST. A copy finds no field beyond `bytes`. */
struct tclk_copy {
    uint32_t interface;
    uint32_t bytes; /* the length of this table in the copy that has it */
    const char *(*version)(void);
    int (*thread_read)(struct tclk_times *times);
    int (*tid_read)(pid_t tid, struct tclk_times *times);
    int (*tid_cpu_ns)(pid_t tid, int64_t *cpu_ns);
    int (*thread_waits)(struct tclk_waits *waits, size_t size);
    int (*configure)(const struct tclk_config *config, size_t size);
    enum tclk_source (*source)(void);
    enum tclk_split (*split)(void);
    size_t (*split_describe)(char *buffer, size_t size);
    size_t (*explain)(char *buffer, size_t size);
    size_t (*source_explain)(enum tclk_source source, char *buffer, size_t size);
    void (*stats)(struct tclk_stats *stats, size_t size);
    void (*announce_demotions)(bool announce);
    void (*count_filter)(int change);
};

/* The table of this copy, of clock/thread_clock.c. Not static: the note names it. */
__attribute__((visibility("hidden"))) extern const struct tclk_copy tclk_own_copy;

extern const struct tclk_copy *tclk_first;

/* The copy to ask; NULL if this one is the first. Async-signal-safe; for slow paths. */
static inline const struct tclk_copy *tclk_first_copy(void)
{
    return __atomic_load_n(&tclk_first, __ATOMIC_RELAXED);
}

/* Asks `first` from now on, or refuses if it has another interface. */
void tclk_first_copy_ask(const struct tclk_copy *first);

/* Finds the first copy, and asks it if that is another one than `own`. Once, from the library's constructor:
 * dl_iterate_phdr(3) is not async-signal-safe. */
void tclk_first_copy_find(const struct tclk_copy *own);

/* ---- asked of the copy that is the clock of this process, as all that threadclock.h says of it ---- */

enum tclk_split tclk_clock_split(void);

/* As tclk_explain_split(). */
size_t tclk_clock_describe_split(char *buffer, size_t size);

/* As tclk_source_announce_demotions(). */
void tclk_clock_announce_demotions(bool announce);

/* As tclk_filter_count_own(), for this copy, too. */
void tclk_clock_count_filter(int change);

#endif
