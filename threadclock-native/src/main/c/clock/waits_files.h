/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_WAITS_FILES_H
#define TCLK_CLOCK_WAITS_FILES_H

#include "kernel/schedstat.h"

#include <stdint.h>
#include <sys/types.h>

/*
 * The schedstat files that threads keep open (tclk_config.keeps_descriptors): at most TCLK_WAITS_FILES in a process,
 * one a thread. A file is found under its thread's tid, which the caller takes from its record, because a child of any
 * kind inherits its parent's descriptors, and must not read its parent's figures: it has another record.
 *
 * Only the thread itself changes its place, with signals held, so that no handler finds it half changed. A thread that
 * ends without libc's knowledge leaves its file open until a thread with its tid takes one.
 */
#define TCLK_WAITS_FILES 256u

/* Reads the calling thread's figures from its own file, which it opens first if it has none. `tid` is of a record that
 * is the caller's. *place is the caller's hint, 0 at first. Returns 0, or a negative errno: ask without a file. */
int tclk_waits_file_read(pid_t tid, uint16_t *place, struct tclk_schedstat *stat);

/* Closes the file that the calling thread has kept. Call this at the thread's end. */
void tclk_waits_file_close(pid_t tid);

/* Closes the files of the parent's threads. Call this in a child of fork(), before a second thread exists. */
void tclk_waits_files_after_fork(void);

#endif
