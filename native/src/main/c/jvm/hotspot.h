/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_HOTSPOT_H
#define TCLK_JVM_HOTSPOT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * HotSpot's own description of its layout, which it offers to the serviceability agent: gHotSpotVMStructs, a table of
 * the fields of its C++ types, exported by libjvm.so of JDK 8 to 26. Other JVMs do not have it.
 *
 * Everything here, the table too, is read by process_vm_readv(2) of this very process, so that memory that is not
 * mapped, or not any more, is an error and not a fault.
 */

/* True if this process runs HotSpot. */
bool tclk_hotspot_is_here(void);

/* Returns the tid of the thread whose JavaThread is at that address. The caller knows that the thread lives, and
 * checks it again afterwards, because the memory of an ended thread may contain anything. Returns > 0; -ENOTSUP (no
 * such table or fields); or the error of process_vm_readv(2), such as -EPERM or -ENOSYS from a seccomp filter, or
 * -EFAULT. */
pid_t tclk_hotspot_tid_of(int64_t java_thread);

#endif
