/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIRECTORY_H
#define TCLK_CLOCK_DIRECTORY_H

#include "clock/record.h"

#include <sys/types.h>

/*
 * tid -> record: at most one record for a tid, whoever made it. A word for each tid that the kernel can
 * give (below 2^22), mapped in pieces of 4096 as they are needed, never unmapped, wiped on fork where the
 * kernel can do that.
 * All of it is lock-free and async-signal-safe.
 */

/* The tid's record, or NULL. */
struct tclk_record *tclk_directory_find(pid_t tid);

/* Enters a record that the caller has taken for its tid. Returns it; or the one that someone else has
 * entered in the meantime; or NULL (no memory, or not a tid). */
struct tclk_record *tclk_directory_enter(struct tclk_record *record);

/* The record is found no more. True for the one caller who took it out. */
bool tclk_directory_remove(struct tclk_record *record, pid_t tid);

/* In a fork child, before a second thread exists. */
void tclk_directory_forget_all(void);

#endif
