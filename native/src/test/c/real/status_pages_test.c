/* SPDX-License-Identifier: Apache-2.0 */

/* Tests what /proc/PID/maps shows of the agent. */

#include "jvm/status_pages.h"

#include "real.h"

/* The permissions of the mapping marked "-w-p", of the two before it, and of the next one; "": there is none. */
struct shown {
    char impossible[5];
    char virtual_threads[5];
    char mark[5];
    char use[5];
};

static struct shown shown(void)
{
    char line[512];
    struct shown now = {"", "", "", ""};
    uintptr_t start;
    uintptr_t end = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && now.use[0] == '\0' && fgets(line, sizeof line, maps) != NULL) {
        uintptr_t before = end;
        char permissions[5] = "";
        sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &start, &end, permissions);
        if (now.mark[0] != '\0' && start == before) {
            memcpy(now.use, permissions, sizeof now.use);
        } else if (strcmp(permissions, "-w-p") == 0) {
            memcpy(now.mark, permissions, sizeof now.mark);
        } else {
            memcpy(now.impossible, now.virtual_threads, sizeof now.impossible);
            memcpy(now.virtual_threads, permissions, sizeof now.virtual_threads);
        }
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return now;
}

static bool shows(const char *use)
{
    struct shown now = shown();
    return strcmp(now.mark, "-w-p") == 0 && strcmp(now.use, use) == 0;
}

static void nothing_is_told_at_first(void)
{
    ok(shown().mark[0] == '\0', "a library that no JVM has asked for anything tells nothing");
}

static void what_is_so_is_told(void)
{
    tclk_status_pages_tell_loaded();
    ok(shows("rw-p"), "loaded in a JVM, it is marked as not in use");
    tclk_status_pages_tell_in_use(true);
    ok(shows("---p"), "a library in use is marked as in use");
    tclk_status_pages_tell_loaded();
    ok(shows("---p"), "loaded once more, it is in use all the same");
    tclk_status_pages_tell_in_use(false);
    ok(shows("rw-p"), "detached, it is marked as not in use");
    tclk_status_pages_tell_in_use(false);
    ok(shows("rw-p"), "detached twice, too");
}

static bool shows_virtual(const char *impossible, const char *virtual_threads)
{
    struct shown now = shown();
    return strcmp(now.impossible, impossible) == 0 && strcmp(now.virtual_threads, virtual_threads) == 0;
}

static void what_is_done_for_virtual_threads_is_told(void)
{
    ok(shows_virtual("rw-p", "r--p"), "virtual threads are not measured at first");
    tclk_status_pages_tell_in_use(true);
    tclk_status_pages_tell_virtual(TCLK_VIRTUAL_ON);
    ok(shows_virtual("rw-p", "---p") && shows("---p"), "measured, they are shown as that");
    tclk_status_pages_tell_virtual(TCLK_VIRTUAL_IMPOSSIBLE);
    ok(shows_virtual("---p", "r--p") && shows("---p"), "not measured though asked for, they are shown as that");
    tclk_status_pages_tell_in_use(false);
    ok(shows_virtual("---p", "r--p") && shows("rw-p"), "a library that is not in use any more shows it, too");
    tclk_status_pages_tell_virtual(TCLK_VIRTUAL_OFF);
    ok(shows_virtual("rw-p", "r--p") && shows("rw-p"), "not measured any more, they are shown as at first");
}

int main(void)
{
    nothing_is_told_at_first();
    what_is_so_is_told();
    what_is_done_for_virtual_threads_is_told();
    return done();
}
