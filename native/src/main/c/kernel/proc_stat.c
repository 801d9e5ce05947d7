/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/proc_stat.h"

#include "kernel/cursor.h"
#include "kernel/task_file.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define FIELDS_BETWEEN_STATE_AND_UTIME 10
#define FIELDS_BETWEEN_STIME_AND_STARTTIME 6

/* USER_HZ: part of the ABI, 100 on x86 and ARM, whatever HZ the kernel was built with. */
#define NS_PER_USER_TICK INT64_C(10000000)

static bool skip_field(struct tclk_cursor *c)
{
    const char *start = c->at;
    while (c->at < c->end && *c->at != ' ') {
        c->at++;
    }
    return c->at > start && tclk_cursor_skip_space(c);
}

static bool parse_head(struct tclk_cursor *c, struct tclk_proc_stat *stat)
{
    uint64_t tid;
    if (!tclk_cursor_read_whole_number(c, &tid) || tid > INT32_MAX || !tclk_cursor_skip_space(c) || c->at == c->end ||
        *c->at != '(') {
        return false;
    }
    /* Only numbers and one letter follow comm, so the last ')' is the end of comm. */
    const char *open = c->at;
    const char *close = memrchr(open, ')', (size_t)(c->end - open));
    if (close == NULL) {
        return false;
    }
    stat->tid = (pid_t)tid;
    stat->comm = open + 1;
    stat->comm_len = (size_t)(close - open - 1);
    c->at = close + 1;
    return true;
}

static bool parse_state(struct tclk_cursor *c, struct tclk_proc_stat *stat)
{
    if (!tclk_cursor_skip_space(c) || c->at == c->end || *c->at == ' ') {
        return false;
    }
    stat->state = *c->at++;
    return tclk_cursor_skip_space(c);
}

static bool skip_fields(struct tclk_cursor *c, int fields)
{
    for (int i = 0; i < fields; i++) {
        if (!skip_field(c)) {
            return false;
        }
    }
    return true;
}

static bool parse_times(struct tclk_cursor *c, struct tclk_proc_stat *stat)
{
    return skip_fields(c, FIELDS_BETWEEN_STATE_AND_UTIME) && tclk_cursor_read_whole_number(c, &stat->utime_ticks) &&
           tclk_cursor_skip_space(c) && tclk_cursor_read_whole_number(c, &stat->stime_ticks) &&
           tclk_cursor_skip_space(c) && skip_fields(c, FIELDS_BETWEEN_STIME_AND_STARTTIME) &&
           tclk_cursor_read_whole_number(c, &stat->starttime_ticks);
}

int tclk_proc_stat_parse(const char *buf, size_t len, struct tclk_proc_stat *stat)
{
    struct tclk_cursor c = {buf, buf + len};
    struct tclk_proc_stat found;
    if (len == 0) {
        return -ESRCH;
    }
    if (!parse_head(&c, &found) || !parse_state(&c, &found) || !parse_times(&c, &found)) {
        return -EBADMSG;
    }
    *stat = found;
    return 0;
}

static int read_stat(const char *proc_root, pid_t tid, char *buf, size_t size, struct tclk_proc_stat *stat)
{
    size_t len;
    int error = tclk_task_file_read(proc_root, tid, "stat", buf, size, &len);
    return error == 0 ? tclk_proc_stat_parse(buf, len, stat) : error;
}

static int ns_of_ticks(uint64_t ticks, int64_t *ns)
{
    int64_t product;
    if (__builtin_mul_overflow(ticks, NS_PER_USER_TICK, &product)) {
        return -EBADMSG;
    }
    *ns = product;
    return 0;
}

int tclk_proc_stat_user_ns(const char *proc_root, pid_t tid, int64_t *user_ns)
{
    char buf[TCLK_PROC_STAT_MAX];
    struct tclk_proc_stat stat;
    int error = read_stat(proc_root, tid, buf, sizeof buf, &stat);
    return error == 0 ? ns_of_ticks(stat.utime_ticks, user_ns) : error;
}

int tclk_proc_stat_started_ns(const char *proc_root, pid_t tid, int64_t *started_ns)
{
    char buf[TCLK_PROC_STAT_MAX];
    struct tclk_proc_stat stat;
    int error = read_stat(proc_root, tid, buf, sizeof buf, &stat);
    return error == 0 ? ns_of_ticks(stat.starttime_ticks, started_ns) : error;
}
