/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/proc_stat.h"

#include "kernel/cursor.h"
#include "kernel/file.h"
#include "kernel/tid.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 256
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
    if (!tclk_cursor_read_whole_number(c, &tid) || tid > INT32_MAX || !tclk_cursor_skip_space(c) ||
        c->at == c->end || *c->at != '(') {
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
    return skip_fields(c, FIELDS_BETWEEN_STATE_AND_UTIME) &&
           tclk_cursor_read_whole_number(c, &stat->utime_ticks) && tclk_cursor_skip_space(c) &&
           tclk_cursor_read_whole_number(c, &stat->stime_ticks) && tclk_cursor_skip_space(c) &&
           skip_fields(c, FIELDS_BETWEEN_STIME_AND_STARTTIME) &&
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

static size_t append_text(char *to, size_t at, size_t size, const char *text)
{
    while (*text != '\0' && at + 1 < size) {
        to[at++] = *text++;
    }
    to[at] = '\0';
    return at;
}

/* Does not use snprintf, which is not async-signal-safe. */
static void stat_path(char *path, size_t size, const char *proc_root, pid_t tid)
{
    char digits[12];
    size_t first = sizeof digits - 1;
    digits[first] = '\0';
    for (uint32_t n = (uint32_t)tid; n != 0 || first == sizeof digits - 1; n /= 10) {
        digits[--first] = (char)('0' + n % 10);
    }
    size_t at = append_text(path, 0, size, proc_root);
    at = append_text(path, at, size, "/self/task/");
    at = append_text(path, at, size, digits + first);
    append_text(path, at, size, "/stat");
}

/* False where nothing is mounted, and where /proc belongs to another pid namespace and has other numbers for
 * threads. */
static bool shows_this_thread(const char *proc_root)
{
    char path[PATH_BYTES];
    stat_path(path, sizeof path, proc_root, tclk_tid_own());
    return access(path, F_OK) == 0;
}

static int read_stat(const char *proc_root, pid_t tid, char *buf, size_t size,
                     struct tclk_proc_stat *stat)
{
    char path[PATH_BYTES];
    size_t len = 0;
    stat_path(path, sizeof path, proc_root, tid);
    int error = tclk_file_read(path, buf, size, &len);
    if (error == -ENOENT && shows_this_thread(proc_root)) {
        return -ESRCH;
    }
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
