/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

int tclk_file_read(const char *path, char *buf, size_t size, size_t *len)
{
    *len = 0;
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -errno;
    }
    long n = syscall(SYS_read, fd, buf, size);
    int error = n < 0 ? -errno : 0;
    tclk_file_close((int)fd);
    *len = n < 0 ? 0 : (size_t)n;
    return error;
}

void tclk_file_close(int fd)
{
    syscall(SYS_close, fd);
}
