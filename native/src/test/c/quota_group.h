/* SPDX-License-Identifier: Apache-2.0 */

/* A control group of this process with a CPU quota, by the cpu controller's files in both versions. */

#ifndef QUOTA_GROUP_H
#define QUOTA_GROUP_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char quota_group[128];

static inline bool quota_group_write(const char *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", quota_group, file);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    close(fd);
    return written;
}

static inline bool quota_group_set(int quota_us, int period_us)
{
    char both[64];
    char quota[32];
    char period[32];
    snprintf(both, sizeof both, "%d %d", quota_us, period_us);
    snprintf(quota, sizeof quota, "%d", quota_us);
    snprintf(period, sizeof period, "%d", period_us);
    return quota_group_write("cpu.max", both) ||
           (quota_group_write("cpu.cfs_period_us", period) && quota_group_write("cpu.cfs_quota_us", quota));
}

/* False: this process may not make such a group. */
static inline bool quota_group_make(int quota_us, int period_us)
{
    static const char *const controllers[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"};
    for (size_t i = 0; i < sizeof controllers / sizeof controllers[0]; i++) {
        snprintf(quota_group, sizeof quota_group, "%s/threadclock-%d", controllers[i], (int)getpid());
        if (mkdir(quota_group, 0700) == 0) {
            if (quota_group_set(quota_us, period_us)) {
                return true;
            }
            rmdir(quota_group);
        }
    }
    return false;
}

/* The calling process, with all its threads. */
static inline bool quota_group_join(void)
{
    return quota_group_write("cgroup.procs", "0");
}

static inline void quota_group_remove(void)
{
    rmdir(quota_group);
}

#endif
