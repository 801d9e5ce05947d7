/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/own_memory.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

int tclk_own_memory_read(uint64_t address, void *to, size_t size)
{
    struct iovec local = {to, size};
    struct iovec remote = {(void *)(uintptr_t)address, size};
    ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    return got == (ssize_t)size ? 0 : got < 0 ? -errno : -EFAULT;
}
