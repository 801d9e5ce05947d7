/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/schedstat.h"

#include "kernel/call.h"
#include "kernel/cursor.h"
#include "kernel/file.h"
#include "kernel/task_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

int tclk_schedstat_parse(const char *buf, size_t len, struct tclk_schedstat *stat)
{
    struct tclk_cursor c = {buf, buf + len};
    struct tclk_schedstat found;
    if (!tclk_cursor_read_whole_number(&c, &found.run_ns) || !tclk_cursor_skip_space(&c) ||
        !tclk_cursor_read_whole_number(&c, &found.delay_ns) || !tclk_cursor_skip_space(&c) ||
        !tclk_cursor_read_whole_number(&c, &found.timeslices)) {
        return -EBADMSG;
    }
    if (found.timeslices == 0) {
        return -ENODATA;
    }
    *stat = found;
    return 0;
}

int tclk_schedstat_read(const char *path, struct tclk_schedstat *stat)
{
    char buf[TCLK_SCHEDSTAT_MAX];
    size_t len;
    int error = tclk_file_read(path, buf, sizeof buf, &len);
    return error == 0 ? tclk_schedstat_parse(buf, len, stat) : error;
}

/* ---- kept open ---- */

static int identify(int fd, struct tclk_schedstat_file *file)
{
    struct stat status;
    int error = (int)tclk_call(SYS_fstat, fd, (long)&status, 0);
    if (error == 0) {
        // NOLINTNEXTLINE(clang-analyzer-core.*): it cannot see that a system call in asm writes it
        *file = (struct tclk_schedstat_file){fd, status.st_dev, status.st_ino};
    }
    return error;
}

static bool is_still(const struct tclk_schedstat_file *file)
{
    struct tclk_schedstat_file found;
    return identify(file->fd, &found) == 0 && found.device == file->device && found.inode == file->inode;
}

/* Programs that run out of descriptors, or call select(2), need low numbers more than this library does. */
static bool may_keep(int fd)
{
    uint64_t limits[2] = {0, 0}; /* soft and hard, as the kernel writes them */
    return tclk_call4(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)limits) == 0 && (uint64_t)fd < limits[0] / 2;
}

int tclk_schedstat_open(struct tclk_schedstat_file *file)
{
    int fd = (int)tclk_call(SYS_openat, AT_FDCWD, (long)TCLK_SCHEDSTAT_OF_CALLER, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return fd;
    }
    int error = may_keep(fd) ? identify(fd, file) : -EMFILE;
    if (error != 0) {
        tclk_file_close(fd);
    }
    return error;
}

int tclk_schedstat_read_open(const struct tclk_schedstat_file *file, struct tclk_schedstat *stat)
{
    char buf[TCLK_SCHEDSTAT_MAX];
    if (!is_still(file)) {
        return -EBADF;
    }
    long n = tclk_call4(SYS_pread64, file->fd, (long)buf, sizeof buf, 0);
    if (!is_still(file)) {
        return -EBADF;
    }
    return n < 0 ? (int)n : tclk_schedstat_parse(buf, (size_t)n, stat);
}

void tclk_schedstat_close(const struct tclk_schedstat_file *file)
{
    if (is_still(file)) {
        tclk_file_close(file->fd);
    }
}

int tclk_schedstat_read_thread(const char *proc_root, pid_t tid, struct tclk_schedstat *stat)
{
    char buf[TCLK_SCHEDSTAT_MAX];
    size_t len;
    int error = tclk_task_file_read(proc_root, tid, "schedstat", buf, sizeof buf, &len);
    return error == 0 ? tclk_schedstat_parse(buf, len, stat) : error;
}
