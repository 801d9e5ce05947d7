/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_HELPER_HELD_H
#define TCLK_HELPER_HELD_H

#include <linux/stat.h>
#include <stdbool.h>

/* Files that are held, and their names, which others may give to other files at any moment. */

/* The modes of struct statx, whose header has no names for them with glibc. */
enum { KIND = 0170000, SOCKET = 0140000, REGULAR = 0100000, STICKY = 01000, OTHERS_MAY_WRITE = 0022 };

/* While a file is held, no other one gets its number. */
bool has_name(int folder, const char *name, int held);

/* Removes the name if it is the held file's. */
void remove_held(int folder, const char *name, int held);

/* Connects to the socket of this path; each step waits no longer than this. */
long connect_by(const char *path, int flags, int most_s);

/*
 * Connects to a socket that is held, and to no other one: connect(2) has no flag to follow no links, and so takes a
 * path that leads to the held file alone.
 *
 * @param descriptors /proc/self/fd of our own mount namespace
 */
long connect_to(int held, int descriptors, int flags, int most_s);

#endif
