/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIRECTORY_H
#define TCLK_CLOCK_DIRECTORY_H

#include "clock/record.h"

#include <sys/types.h>

/*
 * Maps each tid to its record, of which there is at most one, whoever made it. There is a word for each tid that the
 * kernel can give (below 2^22). Words are mapped in pieces of 4096 as they are needed, never unmapped, and wiped on
 * fork where the kernel can do that. All functions are lock-free and async-signal-safe.
 */

/* The tid's record, or NULL. */
struct tclk_record *tclk_directory_find(pid_t tid);

/* Enters a record that the caller has taken for its tid. Returns that record; or the one that another thread has
 * entered meanwhile; or NULL (no memory, or not a tid). */
struct tclk_record *tclk_directory_enter(struct tclk_record *record);

/* Removes a record, so that it is not found any more. True for the one caller that removed it. */
bool tclk_directory_remove(struct tclk_record *record, pid_t tid);

/* Call this in a child of fork(), before a second thread exists. */
void tclk_directory_after_fork(void);

#endif
