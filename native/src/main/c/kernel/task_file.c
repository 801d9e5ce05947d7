/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/task_file.h"

#include "kernel/file.h"
#include "kernel/tid.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#define PATH_BYTES 256

static size_t append_text(char *to, size_t at, size_t size, const char *text)
{
    while (*text != '\0' && at + 1 < size) {
        to[at++] = *text++;
    }
    to[at] = '\0';
    return at;
}

/* Does not use snprintf, which is not async-signal-safe. */
static void path_of(char *path, size_t size, const char *proc_root, pid_t tid, const char *name)
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
    at = append_text(path, at, size, "/");
    append_text(path, at, size, name);
}

/* False where nothing is mounted, and where /proc belongs to another pid namespace and has other numbers for
 * threads. */
static bool shows_this_thread(const char *proc_root, const char *name)
{
    char path[PATH_BYTES];
    path_of(path, sizeof path, proc_root, tclk_tid_own(), name);
    return access(path, F_OK) == 0;
}

typedef int reader(const char *path, char *buf, size_t size, size_t *len);

static int read_by(reader *read, const char *proc_root, pid_t tid, const char *name, char *buf, size_t size,
                   size_t *len)
{
    char path[PATH_BYTES];
    path_of(path, sizeof path, proc_root, tid, name);
    int error = read(path, buf, size, len);
    return error == -ENOENT && shows_this_thread(proc_root, name) ? -ESRCH : error;
}

int tclk_task_file_read(const char *proc_root, pid_t tid, const char *name, char *buf, size_t size, size_t *len)
{
    return read_by(tclk_file_read, proc_root, tid, name, buf, size, len);
}

int tclk_task_file_read_end(const char *proc_root, pid_t tid, const char *name, char *buf, size_t size, size_t *len)
{
    return read_by(tclk_file_read_end, proc_root, tid, name, buf, size, len);
}
