/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_STATUS_PAGES_H
#define TCLK_JVM_STATUS_PAGES_H

#include <stdbool.h>

/*
 * Tells other programs whether this copy's agent is in use, and whether it measures virtual threads, without their
 * talking to this process: by the protection of four pages of the library's zeroed data, which /proc/PID/maps shows.
 * Version 1 is the last two pages:
 *
 *     rw-  rw-   nothing is told: an older library, one that no JVM has asked for anything yet, or a process
 *                that may have no further mapping (vm.max_map_count)
 *     -w-  rw-   loaded, and not in use: ThreadMXBean is the JVM's own
 *     -w-  ---   in use: ThreadMXBean is threadclock's
 *
 * The two pages before them tell of virtual threads. Readers of version 1 do not look at them, and an older library has
 * other data there:
 *
 *     rw-  rw-   nothing is told
 *     rw-  r--   this copy's agent measures no virtual threads
 *     rw-  ---   it measures those that are made from now on
 *     ---  r--   it measures none, though it was asked to: a line on standard error tells why
 *
 * Assumptions: a loader maps zeroed data directly after the library's file, so that a reader finds the pages there,
 * whatever the file's name is now, and even if it no longer exists. No compiler, loader or allocator asks for memory
 * that may be written and not read. Each change is one mprotect(2), which every JVM calls, so no seccomp filter forbids
 * it. A later protocol must mark itself in another way, so that readers of this one see nothing.
 *
 * A word in memory would not do: the process's user may read its maps, but not its memory if kernel.yama.ptrace_scope
 * is 1, as on Ubuntu.
 *
 * Thread-safe. No reading of times uses this.
 */

/* Tells that the library is in a JVM. Changes nothing if more has been told already. */
void tclk_status_pages_tell_loaded(void);

void tclk_status_pages_tell_in_use(bool in_use);

enum tclk_virtual_status { TCLK_VIRTUAL_OFF, TCLK_VIRTUAL_ON, TCLK_VIRTUAL_IMPOSSIBLE };

void tclk_status_pages_tell_virtual(enum tclk_virtual_status status);

#endif
