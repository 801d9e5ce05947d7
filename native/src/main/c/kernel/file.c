/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/file.h"

#include "kernel/call.h"
#include "kernel/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

static int open_to_read(const char *path)
{
    return tclk_filter_forbids() ? -EPERM : (int)tclk_call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC);
}

static long read_from(int fd, char *buf, size_t size)
{
    return tclk_call(SYS_read, fd, (long)buf, (long)size);
}

int tclk_file_read(const char *path, char *buf, size_t size, size_t *len)
{
    *len = 0;
    int fd = open_to_read(path);
    if (fd < 0) {
        return fd;
    }
    long n = read_from(fd, buf, size);
    tclk_file_close(fd);
    *len = n < 0 ? 0 : (size_t)n;
    return n < 0 ? (int)n : 0;
}

/* A full buffer keeps its second half. */
static long read_to_end(int fd, char *buf, size_t size, size_t *len)
{
    long n;
    while ((n = read_from(fd, buf + *len, size - *len)) > 0) {
        *len += (size_t)n;
        if (*len == size) {
            *len = size / 2;
            memmove(buf, buf + (size - *len), *len);
        }
    }
    return n;
}

int tclk_file_read_end(const char *path, char *buf, size_t size, size_t *len)
{
    *len = 0;
    int fd = open_to_read(path);
    if (fd < 0) {
        return fd;
    }
    long n = read_to_end(fd, buf, size, len);
    tclk_file_close(fd);
    *len = n < 0 ? 0 : *len;
    return (int)n;
}

void tclk_file_close(int fd)
{
    tclk_call(SYS_close, fd, 0, 0);
}
