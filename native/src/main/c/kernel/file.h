/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_FILE_H
#define TCLK_KERNEL_FILE_H

#include <stddef.h>

/*
 * Reads files by bare system calls, because libc's open(), read() and close() are cancellation points. A thread that is
 * cancelled inside a reading (pthread_cancel(3)) would leave the descriptor open, and the reading half done.
 * Async-signal-safe.
 */

/* Reads the beginning of a file in one call, which /proc requires. Returns 0 or -errno; *len is 0 then. */
int tclk_file_read(const char *path, char *buf, size_t size, size_t *len);

/* Reads a whole file, and leaves its end in `buf`: at least size / 2 bytes of it, or all of it. Returns as
 * tclk_file_read(). */
int tclk_file_read_end(const char *path, char *buf, size_t size, size_t *len);

void tclk_file_close(int fd);

#endif
