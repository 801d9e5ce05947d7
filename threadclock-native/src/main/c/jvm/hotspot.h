/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_HOTSPOT_H
#define TCLK_JVM_HOTSPOT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * What HotSpot tells the serviceability agent of its own layout: gHotSpotVMStructs, a table of the
 * fields of its C++ types, exported by libjvm.so of JDK 8 to 26. Other JVMs do not have it.
 *
 * Everything here, the table too, is read by process_vm_readv(2) of this very process: what is not
 * there, or not any more, is an error and no fault.
 */

/* True if this process runs HotSpot. */
bool tclk_hotspot_is_here(void);

/* The tid of the thread whose JavaThread the VM keeps at that address. The caller knows that the
 * thread lives, and looks again afterwards: what has become of the memory of one that has ended is
 * anything. Returns > 0; -ENOTSUP (no such table or fields); or what process_vm_readv(2) answered,
 * such as -EPERM or -ENOSYS from a seccomp filter, or -EFAULT. */
pid_t tclk_hotspot_tid_of(int64_t java_thread);

#endif
