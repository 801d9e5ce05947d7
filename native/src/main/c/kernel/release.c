/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/release.h"

#include <stddef.h>
#include <sys/utsname.h>

#define PART_MAX 100000

static const char *parse_part(const char *text, int *part)
{
    int n = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && n < PART_MAX; at++) {
        n = n * 10 + (*at - '0');
    }
    *part = n;
    return at == text ? NULL : at;
}

bool tclk_release_parse(const char *text, struct tclk_release *release)
{
    struct tclk_release found;
    const char *at = parse_part(text, &found.major);
    if (at == NULL || *at != '.' || parse_part(at + 1, &found.minor) == NULL) {
        return false;
    }
    *release = found;
    return true;
}

bool tclk_release_running(struct tclk_release *release)
{
    struct utsname name;
    return uname(&name) == 0 && tclk_release_parse(name.release, release);
}
