/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/file.h"

#include "kernel/call.h"

#include <fcntl.h>
#include <sys/syscall.h>

int tclk_file_read(const char *path, char *buf, size_t size, size_t *len)
{
    *len = 0;
    long fd = tclk_call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return (int)fd;
    }
    long n = tclk_call(SYS_read, fd, (long)buf, (long)size);
    tclk_file_close((int)fd);
    *len = n < 0 ? 0 : (size_t)n;
    return n < 0 ? (int)n : 0;
}

void tclk_file_close(int fd)
{
    tclk_call(SYS_close, fd, 0, 0);
}
