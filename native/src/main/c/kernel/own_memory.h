/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_OWN_MEMORY_H
#define TCLK_KERNEL_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Copies memory of this process that may no longer be mapped. If it is not mapped, this is an error, not a fault.
 * Returns 0; -EFAULT (some of it is not mapped), with `to` undefined; or the error of process_vm_readv(2), such as
 * -EPERM or -ENOSYS from a seccomp filter. */
int tclk_own_memory_read(uint64_t address, void *to, size_t size);

/* True if the calling process shares its memory with another one, as a child of vfork(2) does with its parent.
 * False also where kcmp(2) does not tell. */
bool tclk_own_memory_is_shared_with(pid_t other);

#endif
