/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_NOTES_H
#define TCLK_CLOCK_NOTES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The ELF notes by which copies of this library in one process find each other. A note is in memory, so that no file is
 * opened, and no path is needed: the file may be deleted, or be somebody else's by now.
 *
 * The contents of a note is the distance from itself to a table, which needs no relocation. Others may see the table
 * before the loader has relocated the addresses in it.
 */
#define TCLK_NOTE_OWNER "threadclock"

/* Types of notes. In figures, as assembly reads them. */
#define TCLK_NOTE_COPY 1  /* clock/first_copy.h */
#define TCLK_NOTE_AGENT 2 /* jvm/copies.h */

#define TCLK_NOTE_FIGURE(type) #type

/* Puts a note into this file that leads to `table`, which is hidden and not static. In assembly, as C has no constant
 * expression for the distance. Linkers keep notes, also where they drop what nobody calls (--gc-sections). */
#define TCLK_NOTE(type, table)                                                                                         \
    __asm__(".pushsection .note.threadclock,\"a\",%note\n"                                                             \
            "\t.balign 4\n"                                                                                            \
            "\t.long 2f-1f, 4f-3f, " TCLK_NOTE_FIGURE(type) "\n"                                                       \
                                                            "1:\t.asciz \"" TCLK_NOTE_OWNER "\"\n"                     \
                                                            "2:\t.balign 4\n"                                          \
                                                            "3:\t.long " #table "-.\n"                                 \
                                                            "4:\n"                                                     \
                                                            "\t.popsection\n")

/* Calls `is_wanted` with the table of each loaded object's note of this type, in the loader's order, until it returns
 * true. The loader holds its list still meanwhile: `is_wanted` must not call it. Takes time in proportion to the number
 * of objects. Not async-signal-safe, as dl_iterate_phdr(3) is not. */
void tclk_notes_search(uint32_t type, bool (*is_wanted)(const void *table, const char *path, void *context),
                       void *context);

#endif
