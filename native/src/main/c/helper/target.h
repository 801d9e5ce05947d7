/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_HELPER_TARGET_H
#define TCLK_HELPER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_GROUPS = 1024 };

/* The process that a command asks something of, as the command has confirmed it. The ids are those of our user
 * namespace. */
struct target {
    int folder; /* /proc/PID, held: it stays this process's, and names no other one when that has ended */
    int root;
    int descriptors; /* /proc/self/fd of our own mount namespace */
    int pid;
    unsigned uid;
    unsigned gid;
    int group_count;
    unsigned groups[MOST_GROUPS];
    uint64_t capabilities; /* that it may have */
};

/*
 * From then on, nobody but root can trace the caller, open its descriptors, or reach its program and root directory. It
 * is the first thing to do: with the rights of a container's root, the caller could be traced by him for a moment
 * otherwise.
 */
long hide(void);

/*
 * Goes where the target is: into its control group, mount namespace and root directory, as far as this user may.
 * Without CAP_SYS_ADMIN and CAP_SYS_CHROOT the caller stays where it is, and reaches the target's files through `root`
 * alone. Not into the pid namespace: processes there would see the caller.
 */
void enter(const struct target *target);

/*
 * Takes the target's limits, as far as this user may, and its ids and capabilities; there is no way back, and no way to
 * new privileges. A helper that has its user and group already, and may not change groups, keeps those it has.
 *
 * Returns 0, or -errno if it has any right left that the target has not.
 */
long take_rights(const struct target *target);

/*
 * The folder that has this path for the target, to which no link leads; or -errno. A part ".." is refused.
 */
long walk(const struct target *target, const char *path);

bool has_ended(const struct target *target);

/* Sends SIGQUIT to this very process; with this user's rights. */
long send_quit(const struct target *target);

#endif
