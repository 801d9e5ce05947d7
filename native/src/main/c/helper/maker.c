/* SPDX-License-Identifier: Apache-2.0 */
#include "maker.h"

#include "call.h"
#include "command.h"
#include "held.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

enum { MODE = 0755 };

static struct target *target;
static char buffer[1 << 16];

/* Whether only its owner and root can replace a file in it. */
static bool keeps_files(const struct statx *folder)
{
    return (folder->stx_mode & OTHERS_MAY_WRITE) == 0 || (folder->stx_mode & STICKY) != 0;
}

static long make(int folder, const char *name)
{
    return open_at(folder, name, O_CREAT | O_EXCL | O_WRONLY, MODE);
}

/* A name that is there tells nothing of it. */
static bool has_no_number_for_us(int folder)
{
    static const char TRIAL[] = ".threadclock-trial";
    long made = make(folder, TRIAL);
    if (made >= 0) {
        remove_held(folder, TRIAL, (int)made);
        close_file(made);
    }
    return made == -EOVERFLOW;
}

/* Whether nobody else could have made it. */
static bool is_our_copy(int folder, const char *name, uint64_t size)
{
    struct statx its;
    return facts_at(folder, name, &its) == 0 && its.stx_mode == (REGULAR | MODE) && its.stx_nlink == 1 &&
           its.stx_size == size &&
           (its.stx_uid == (unsigned)tclk_call(SYS_geteuid, 0, 0, 0) ||
            (its.stx_uid == target->uid && has_no_number_for_us(folder)));
}

/* All bytes are taken, also after a failure: the command goes on with its next request. */
static long fill(int file, uint64_t left)
{
    long refused = tclk_call(SYS_fchmod, file, MODE, 0); /* the mask of new files has taken some away */
    while (left > 0) {
        long count = tclk_call(SYS_read, command, (long)buffer, (long)(left < sizeof(buffer) ? left : sizeof(buffer)));
        if (count <= 0) {
            return -EPIPE;
        }
        refused = refused == 0 ? write_all(file, buffer, (size_t)count) : refused;
        left -= (uint64_t)count;
    }
    return refused;
}

/* With the ids that the command names, for good, where the file system has no number for ours. */
static long make_as_needed(int folder, const char *name)
{
    long made = make(folder, name);
    if (made != -EOVERFLOW) {
        return made;
    }
    long refused = take_rights(target);
    return refused != 0 ? refused : make(folder, name);
}

static void copy(int folder, const char *name, uint64_t bytes)
{
    long made = make_as_needed(folder, name);
    if (made == -EEXIST) {
        answer(is_our_copy(folder, name, bytes) ? "same" : "taken", 0);
        return;
    }
    if (has_failed(made, "name")) {
        return;
    }
    answer("ok", 0);
    long refused = fill((int)made, bytes);
    if (refused != 0) {
        remove_held(folder, name, (int)made);
    }
    answer(refused != 0 ? "write" : "written", (unsigned long)-refused);
    close_file(made);
}

static void serve_copy(void)
{
    struct statx its;
    const char *verb = word();
    word(); /* its time: the command waits no longer */
    long folder = walk(target, word());
    const char *name = word();
    const char *digits = word();
    uint64_t bytes = number(&digits, 10);
    if (has_failed(folder, "folder")) {
        return;
    }
    if (!is(verb, "copy") || facts_of((int)folder, &its) != 0 || !keeps_files(&its)) {
        answer("open", 0);
    } else {
        copy((int)folder, name, bytes);
    }
    close_file(folder);
}

_Noreturn void make_copies(struct target *its)
{
    target = its;
    for (bool is_there = false; receive(); is_there = true) {
        if (!is_there) {
            enter(target);
        }
        serve_copy();
    }
    leave();
}
