/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_STATUS_PAGES_H
#define TCLK_JVM_STATUS_PAGES_H

#include <stdbool.h>

/*
 * Whether this copy's agent is in use, told to programs outside without a word to this process: two pages of
 * the library's zeroed data, whose protection /proc/PID/maps shows. Version 1:
 *
 *     rw-  rw-   nothing is told: an older library, one that no JVM has asked for anything yet, or a process
 *                that may have no further mapping (vm.max_map_count)
 *     -w-  rw-   loaded, and not in use: ThreadMXBean is the JVM's own
 *     -w-  ---   in use: ThreadMXBean is threadclock's
 *
 * Assumptions: a loader puts zeroed data behind the library's file without a gap, so a reader finds the pages
 * there, whatever the file is called now and whether it still exists. No compiler, loader or allocator asks for
 * memory that may be written and not read. Each change is one mprotect(2), which every JVM calls, so no seccomp
 * filter minds. A later protocol marks itself otherwise, and a reader of this one sees nothing.
 *
 * Why not a word in memory: the maps of a process may be read by its user, its memory may not where
 * kernel.yama.ptrace_scope is 1, as on Ubuntu.
 *
 * Thread-safe. Nothing that reads times comes here.
 */

/* The library is in a JVM. Changes nothing where more is told already. */
void tclk_status_pages_tell_loaded(void);

void tclk_status_pages_tell_in_use(bool in_use);

#endif
