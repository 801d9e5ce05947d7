/* SPDX-License-Identifier: Apache-2.0 */
#include "held.h"

#include "call.h"
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>

static bool is_same(const struct statx *one, const struct statx *other)
{
    return one->stx_ino == other->stx_ino && one->stx_dev_major == other->stx_dev_major &&
           one->stx_dev_minor == other->stx_dev_minor;
}

bool has_name(int folder, const char *name, int held)
{
    struct statx its;
    struct statx named;
    return facts_of(held, &its) == 0 && facts_at(folder, name, &named) == 0 && is_same(&its, &named);
}

void remove_held(int folder, const char *name, int held)
{
    if (has_name(folder, name, held)) {
        tclk_call(SYS_unlinkat, folder, (long)name, 0);
    }
}

long connect_by(const char *path, int flags, int most_s)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval timeout = {.tv_sec = most_s};
    size_t length = length_of(path);
    if (length >= sizeof(address.sun_path)) {
        return -ENAMETOOLONG;
    }
    copy_bytes(address.sun_path, path, length);
    long fd = tclk_call(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
    if (fd < 0) {
        return fd;
    }
    tclk_call6(SYS_setsockopt, fd, SOL_SOCKET, SO_SNDTIMEO, (long)&timeout, sizeof(timeout), 0);
    long refused = tclk_call(SYS_connect, fd, (long)&address, sizeof(address));
    if (refused != 0) {
        close_file(fd);
    }
    return refused != 0 ? refused : fd;
}

long connect_to(int held, int descriptors, int flags, int most_s)
{
    char digits[12];
    size_t at = sizeof(digits);
    digits[--at] = 0;
    for (int rest = held; rest > 0 || digits[at] == 0; rest /= 10) {
        digits[--at] = (char)('0' + rest % 10);
    }
    long refused = tclk_call(SYS_fchdir, descriptors, 0, 0);
    return refused != 0 ? refused : connect_by(digits + at, flags, most_s);
}
