/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/schedstat.h"

#include "kernel/cursor.h"
#include "kernel/file.h"
#include "kernel/task_file.h"

#include <errno.h>

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

int tclk_schedstat_read_thread(const char *proc_root, pid_t tid, struct tclk_schedstat *stat)
{
    char buf[TCLK_SCHEDSTAT_MAX];
    size_t len;
    int error = tclk_task_file_read(proc_root, tid, "schedstat", buf, sizeof buf, &len);
    return error == 0 ? tclk_schedstat_parse(buf, len, stat) : error;
}
