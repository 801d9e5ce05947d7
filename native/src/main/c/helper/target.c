/* SPDX-License-Identifier: Apache-2.0 */
#include "target.h"

#include "call.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum { LONGEST_PATH = 4096, LONGEST_NAME = 255, MOST_CAPABILITIES = 64 };

static const char CGROUP_MOUNT[] = "/sys/fs/cgroup";
static const char CGROUP_FILE[] = "/cgroup.procs";

static long read_file(int folder, const char *name, char *text, size_t size)
{
    long file = open_at(folder, name, O_RDONLY, 0);
    if (file < 0) {
        return file;
    }
    long count = tclk_call(SYS_read, file, (long)text, (long)(size - 1));
    tclk_call(SYS_close, file, 0, 0);
    text[count < 0 ? 0 : count] = 0;
    return count;
}

static char *appended(char *to, const char *text)
{
    while (*text != 0 && *text != '\n') {
        *to++ = *text++;
    }
    return to;
}

/* The second version alone. The helper's work is then on the target's account, and within its bounds. */
static void take_cgroup(const struct target *target)
{
    char text[LONGEST_PATH];
    char path[sizeof(CGROUP_MOUNT) + sizeof(text) + sizeof(CGROUP_FILE)];
    if (read_file(target->folder, "cgroup", text, sizeof(text)) <= 0) {
        return;
    }
    const char *line = text;
    while (!begins_with(line, "0::/")) {
        while (*line != 0 && *line++ != '\n') {
        }
        if (*line == 0) {
            return;
        }
    }
    if (begins_with(line, "0::/..")) { /* outside of our namespace of them */
        return;
    }
    *appended(appended(appended(path, CGROUP_MOUNT), line + 3), CGROUP_FILE) = 0;
    long file = open_ours(path, O_WRONLY);
    if (file >= 0) {
        write_all((int)file, "0", 1);
        tclk_call(SYS_close, file, 0, 0);
    }
}

void enter(const struct target *target)
{
    take_cgroup(target); /* its path is ours, and so it comes first */
    long mounts = tclk_call(SYS_openat, target->folder, (long)"ns/mnt", O_RDONLY | O_CLOEXEC);
    if (mounts >= 0) {
        tclk_call(SYS_setns, mounts, CLONE_NEWNS, 0);
        tclk_call(SYS_close, mounts, 0, 0);
    }
    if (tclk_call(SYS_fchdir, target->root, 0, 0) == 0) {
        tclk_call(SYS_chroot, (long)".", 0, 0);
    }
}

static void take_limits(const struct target *target)
{
    for (int limit = 0; limit < RLIM_NLIMITS; limit++) {
        uint64_t of_target[2];
        if (tclk_call6(SYS_prlimit64, target->pid, limit, 0, (long)of_target, 0, 0) == 0) {
            tclk_call6(SYS_prlimit64, 0, limit, (long)of_target, 0, 0, 0);
        }
    }
}

static long take_capabilities(uint64_t most)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct data[2] = {{0}};
    long refused = tclk_call(SYS_capget, (long)&header, (long)data, 0);
    for (int i = 0; i < 2; i++) {
        data[i].permitted &= (uint32_t)(most >> 32 * i);
        data[i].effective &= data[i].permitted;
        data[i].inheritable = 0;
    }
    return refused != 0 ? refused : tclk_call(SYS_capset, (long)&header, (long)data, 0);
}

static long prctl(int option, long argument)
{
    return tclk_call6(SYS_prctl, option, argument, 0, 0, 0, 0);
}

long hide(void)
{
    long refused = prctl(PR_SET_DUMPABLE, 0);
    return refused == 0 && prctl(PR_GET_DUMPABLE, 0) != 0 ? -EPERM : refused;
}

static bool has_ids(const struct target *target)
{
    unsigned uids[3] = {0};
    unsigned gids[3] = {0};
    tclk_call(SYS_getresuid, (long)&uids[0], (long)&uids[1], (long)&uids[2]);
    tclk_call(SYS_getresgid, (long)&gids[0], (long)&gids[1], (long)&gids[2]);
    bool is_same = true;
    for (int i = 0; i < 3; i++) {
        is_same &= uids[i] == target->uid && gids[i] == target->gid;
    }
    return is_same;
}

/*
 * New ids make a process traceable where fs.suid_dumpable is 1. Until it is hidden again, it keeps capabilities: the
 * kernel lets nobody trace it who has not as many.
 */
static long change_ids(const struct target *target)
{
    long refused = prctl(PR_SET_KEEPCAPS, 1);
    if (refused == 0) {
        refused = tclk_call(SYS_setresgid, target->gid, target->gid, target->gid);
    }
    if (refused == 0) {
        refused = tclk_call(SYS_setresuid, target->uid, target->uid, target->uid);
    }
    return refused != 0 ? refused : hide();
}

/* A user namespace may forbid to change groups, and have no ids but those that the caller has already. */
static long take_ids(const struct target *target)
{
    for (int i = 0; i < MOST_CAPABILITIES; i++) {
        prctl(PR_CAPBSET_DROP, i); /* refused without CAP_SETPCAP, and those that do not exist */
    }
    long refused = tclk_call(SYS_setgroups, target->group_count, (long)target->groups, 0);
    if (has_ids(target)) {
        refused = 0;
    } else if (refused == 0) {
        refused = change_ids(target);
    }
    return refused != 0 ? refused : take_capabilities(target->uid == 0 ? target->capabilities : 0);
}

long take_rights(const struct target *target)
{
    take_limits(target);
    long refused = prctl(PR_SET_NO_NEW_PRIVS, 1);
    if (refused == 0 && tclk_call(SYS_geteuid, 0, 0, 0) == 0) {
        refused = take_ids(target);
    }
    return refused;
}

static bool is_above(const char *name)
{
    return name[0] == '.' && name[1] == '.' && name[2] == 0;
}

long walk(const struct target *target, const char *path)
{
    char name[LONGEST_NAME + 2];
    long folder = tclk_call(SYS_dup, target->root, 0, 0);
    while (folder >= 0) {
        while (*path == '/') {
            path++;
        }
        if (*path == 0) {
            break;
        }
        size_t length = 0;
        while (path[length] != 0 && path[length] != '/' &&
               length <= LONGEST_NAME) { /* the kernel refuses a longer one */
            name[length] = path[length];
            length++;
        }
        name[length] = 0;
        path += length;
        long next = is_above(name) ? -ELOOP : open_at((int)folder, name, O_PATH | O_DIRECTORY, 0);
        tclk_call(SYS_close, folder, 0, 0);
        folder = next;
    }
    struct statx its;
    long refused = folder < 0 ? folder : facts_at((int)folder, ".", &its); /* it may be closed itself */
    return refused < 0 ? refused : folder;
}

/* One that nobody has waited for yet has ended, too. */
bool has_ended(const struct target *target)
{
    char stat[512];
    long count = read_file(target->folder, "stat", stat, sizeof(stat));
    if (count <= 0) {
        return count != -EMFILE;
    }
    const char *state = stat;
    for (const char *at = stat; *at != 0; at++) { /* its name may have parentheses, too */
        state = *at == ')' && at[1] == ' ' ? at + 2 : state;
    }
    return *state == 'Z' || *state == 'X';
}

long send_quit(const struct target *target)
{
    long sent = tclk_call6(SYS_pidfd_send_signal, target->folder, SIGQUIT, 0, 0, 0, 0);
    return sent == -ENOSYS ? tclk_call(SYS_kill, target->pid, SIGQUIT, 0) : sent; /* Linux before 5.1 */
}
