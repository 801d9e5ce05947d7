/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/clocksource.h"

#include "kernel/file.h"

#include <errno.h>
#include <string.h>

/* Both buffers lie on the stack of a reading, which may use 1 KiB in all. The longest known line, Hyper-V's, has 63
 * bytes. */
#define PATH_BYTES 128
#define LINE_BYTES 128
#define AVAILABLE "/devices/system/clocksource/clocksource0/available_clocksource"
#define EARLY "-early"

static bool is_space(char c)
{
    return c == ' ' || c == '\n';
}

static bool is_same(const char *word, size_t length, const char *name)
{
    size_t named = strlen(name);
    size_t early = sizeof EARLY - 1;
    return length >= named && memcmp(word, name, named) == 0 &&
           (length == named || (length == named + early && memcmp(word + named, EARLY, early) == 0));
}

bool tclk_clocksources_name(const char *line, size_t length, const char *name)
{
    size_t begin = 0;
    for (size_t at = 0; at <= length; at++) {
        if (at == length || is_space(line[at])) {
            if (is_same(line + begin, at - begin, name)) {
                return true;
            }
            begin = at + 1;
        }
    }
    return false;
}

static int read_line(const char *path, char *line, size_t size, size_t *length)
{
    size_t got;
    int error = tclk_file_read(path, line, size, &got);
    if (error == 0 && got == 0) {
        return -EBADMSG;
    }
    if (error == 0) {
        *length = got;
    }
    return error;
}

int tclk_clocksource_is_kept(const char *root, const char *name, bool *has)
{
    char path[PATH_BYTES];
    char line[LINE_BYTES];
    size_t length = strlen(root);
    if (length > sizeof path - sizeof AVAILABLE) {
        return -ENAMETOOLONG;
    }
    memcpy(path, root, length + 1);
    memcpy(path + length, AVAILABLE, sizeof AVAILABLE);
    int error = read_line(path, line, sizeof line, &length);
    if (error == 0) {
        *has = tclk_clocksources_name(line, length, name);
    }
    return error;
}
