/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_FILE_H
#define TCLK_KERNEL_FILE_H

#include <stddef.h>

/*
 * Files, by bare system calls: libc's open(), read() and close() are cancellation points. A thread that is
 * cancelled inside a reading (pthread_cancel(3)) would leave the descriptor open, and whatever the reading had
 * begun undone. Async-signal-safe.
 */

/* Reads a file's beginning at once, as /proc wants it. Returns 0 or -errno; *len is 0 then. */
int tclk_file_read(const char *path, char *buf, size_t size, size_t *len);

void tclk_file_close(int fd);

#endif
