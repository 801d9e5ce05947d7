/* SPDX-License-Identifier: Apache-2.0 */

/* A control group that may use a fifth of a CPU. Its threads are switched out for most of the time, all at once, in
 * the middle of computing. */

#include "kind.h"
#include "leftovers.h"
#include "process.h"
#include "sources.h"
#include "threads.h"
#include "witness.h"

#include <sys/stat.h>
#include <tap.h>

#define QUOTA_MISSING                                                                              \
    "the right to make a control group with a CPU quota (cgroup v2 cpu.max, or v1)"

#define READERS 3
#define WATCH_NS (250 * MS)
#define THROTTLED_NEEDED 3
#define PATIENCE_NS (5 * S)

/* The cpu controller's files, in both versions. */
static const struct controller {
    const char *folder;
    const char *quota_file[2];
    const char *quota[2];
} controllers[] = {
    {"/sys/fs/cgroup", {"cpu.max", NULL}, {"4000 20000", NULL}},
    {"/sys/fs/cgroup/cpu", {"cpu.cfs_period_us", "cpu.cfs_quota_us"}, {"20000", "4000"}},
    {"/sys/fs/cgroup/cpu,cpuacct", {"cpu.cfs_period_us", "cpu.cfs_quota_us"}, {"20000", "4000"}},
};

static char group[128];
static int64_t throttled_before;

static bool write_to(const char *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", group, file);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    close(fd);
    return written;
}

static bool make_group(const struct controller *c)
{
    snprintf(group, sizeof group, "%s/threadclock-test-%d", c->folder, (int)getpid());
    if (mkdir(group, 0700) != 0) {
        return false;
    }
    if (write_to(c->quota_file[0], c->quota[0]) &&
        (c->quota_file[1] == NULL || write_to(c->quota_file[1], c->quota[1]))) {
        return true;
    }
    rmdir(group);
    return false;
}

static bool find_group(void)
{
    for (size_t i = 0; i < sizeof controllers / sizeof controllers[0]; i++) {
        if (make_group(&controllers[i])) {
            return true;
        }
    }
    return false;
}

static int64_t times_throttled(void)
{
    char path[256];
    char line[128];
    long n = -1;
    snprintf(path, sizeof path, "%s/cpu.stat", group);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL &&
           sscanf(line, "nr_throttled %ld", &n) != 1) {
    }
    if (file != NULL) {
        fclose(file);
    }
    return n;
}

/* A group that gets less than its quota, because the machine is busy, is not throttled, so this tries for longer. */
static bool has_been_throttled(int64_t began_ns)
{
    return times_throttled() >= throttled_before + THROTTLED_NEEDED ||
           wall_ns() - began_ns > PATIENCE_NS;
}

static void *watch(void *w)
{
    int64_t began_ns = wall_ns();
    *(struct witness *)w = (struct witness){0};
    do {
        struct witness more = witness_watch(kind_amount(WATCH_NS));
        witness_add(w, &more);
    } while (!has_been_throttled(began_ns));
    return NULL;
}

static void readers_are_throttled(const char *source)
{
    struct witness each[READERS];
    struct witness sum = {0};
    pthread_t threads[READERS];
    /* Longer than they are switched out for. */
    tclk_clock_configure(
        &(struct tclk_config){.source = tclk_clock_source(), .window_ns = 100 * MS});
    times_now();
    struct leftovers before = leftovers_now();
    throttled_before = times_throttled();
    for (int i = 0; i < READERS; i++) {
        threads[i] = thread_start(watch, &each[i]);
    }
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
        witness_add(&sum, &each[i]);
    }
    witness_confirms(&sum, source, "in a group with a CPU quota");
    if (times_throttled() > throttled_before) {
        ok(true, "%s: the group was throttled", source);
    } else {
        skip("the group was throttled", "a machine that gives the group all its quota");
    }
    leftovers_none(before, "in a group with a CPU quota");
}

static void in_group(void)
{
    if (!write_to("cgroup.procs", "0")) {
        skip("threads of a group with a CPU quota read right", QUOTA_MISSING);
        return;
    }
    with_each_source(readers_are_throttled);
}

int main(void)
{
    if (!find_group()) {
        skip("threads of a group with a CPU quota read right", QUOTA_MISSING);
        return done();
    }
    in_child(in_group);
    rmdir(group);
    return done();
}
