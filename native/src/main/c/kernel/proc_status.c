/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/proc_status.h"

#include "kernel/cursor.h"
#include "kernel/task_file.h"

#include <errno.h>
#include <string.h>

/* memcmp() with a known name is compiled to vector registers, which no function of the library may use. */
static bool begins_with(const char *at, const char *name)
{
    while (*name != '\0' && *at == *name) {
        at++;
        name++;
    }
    return *name == '\0';
}

/* Finds the last one, because the names that programs choose come first. */
static const char *find(const char *buf, size_t len, const char *name, size_t name_len)
{
    for (size_t end = len; end >= name_len; end--) {
        const char *at = buf + end - name_len;
        if (begins_with(at, name)) {
            return at;
        }
    }
    return NULL;
}

/* Finds a line by its name, which begins with the end of the line before it. */
static bool find_number(const char *buf, size_t len, const char *name, int64_t *number)
{
    size_t name_len = strlen(name);
    const char *line = find(buf, len, name, name_len);
    if (line == NULL) {
        return false;
    }
    struct tclk_cursor c = {line + name_len, buf + len};
    uint64_t found;
    if (!tclk_cursor_read_whole_number(&c, &found) || found > INT64_MAX) {
        return false;
    }
    *number = (int64_t)found;
    return true;
}

int tclk_proc_status_parse(const char *buf, size_t len, struct tclk_switches *switches)
{
    struct tclk_switches found;
    if (!find_number(buf, len, "\nvoluntary_ctxt_switches:\t", &found.voluntary) ||
        !find_number(buf, len, "\nnonvoluntary_ctxt_switches:\t", &found.involuntary)) {
        return -EBADMSG;
    }
    *switches = found;
    return 0;
}

int tclk_proc_status_read_switches(const char *proc_root, pid_t tid, struct tclk_switches *switches)
{
    char buf[TCLK_PROC_STATUS_END];
    size_t len;
    int error = tclk_task_file_read_end(proc_root, tid, "status", buf, sizeof buf, &len);
    return error == 0 ? tclk_proc_status_parse(buf, len, switches) : error;
}
