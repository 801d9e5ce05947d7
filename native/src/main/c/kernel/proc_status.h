/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_PROC_STATUS_H
#define TCLK_KERNEL_PROC_STATUS_H

#include "kernel/usage.h"

#include <stddef.h>
#include <sys/types.h>

/*
 * /proc/PID/task/TID/status (proc(5)): lines "name:\tvalue". Since Linux 2.6.23 two of the last ones are
 * voluntary_ctxt_switches and nonvoluntary_ctxt_switches. The lines before them can be long: groups, CPUs, nodes.
 */

/* The end of a status in which the switches are found: x86 adds two short lines to them since Linux 6.6. */
#define TCLK_PROC_STATUS_END 1024

/* Parses the end of a status. Returns 0 or -EBADMSG (no such lines, or cut short). */
int tclk_proc_status_parse(const char *buf, size_t len, struct tclk_switches *switches);

/* Reads how often a thread of this process was switched out. Opens, reads and closes the file. Returns 0, -EBADMSG, or
 * as tclk_task_file_read(); *switches is untouched on error. */
int tclk_proc_status_read_switches(const char *proc_root, pid_t tid, struct tclk_switches *switches);

#endif
