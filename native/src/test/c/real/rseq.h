/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_RSEQ_H
#define TCLK_TEST_RSEQ_H

/* rseq(2) for the tests, without the library's own calls. */

#include "kernel/release.h"
#include "kernel/rseq_area.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_rseq
#if defined(__x86_64__)
#define SYS_rseq 334
#else
#define SYS_rseq 293
#endif
#endif

#define RSEQ_LIBC_MISSING "a libc that registers rseq (glibc 2.35)"
#define RSEQ_KEPT_SINCE "Linux 6.19 and newer keep rseq_cs across a switch in a system call"

/* Longer than the area of any libc. */
#define RSEQ_LENGTH_MAX 512

#define RSEQ_AT_FEATURE_SIZE 27 /* AT_RSEQ_FEATURE_SIZE, since Linux 6.3 */

static inline int rseq_register(void *area, unsigned length, uint32_t signature)
{
    return syscall(SYS_rseq, area, length, 0, signature) == 0 ? 0 : -errno;
}

/* Unregisters an area, with whatever length it was registered. */
static inline int rseq_unregister(void *area)
{
    int error = -EINVAL;
    for (unsigned length = TCLK_RSEQ_AREA_BYTES; length <= RSEQ_LENGTH_MAX && error != 0; length++) {
        error = syscall(SYS_rseq, area, length, 1, TCLK_RSEQ_SIGNATURE) == 0 ? 0 : -errno;
    }
    return error;
}

/* The length with which this area is registered; 0: it is not. The kernel answers EBUSY only to the very area that is
 * registered, with its length, and EINVAL to all others. */
static inline unsigned rseq_registered_length(void *area)
{
    for (unsigned length = TCLK_RSEQ_AREA_BYTES; length <= RSEQ_LENGTH_MAX; length++) {
        int error = rseq_register(area, length, TCLK_RSEQ_SIGNATURE);
        if (error == 0) { /* no area was registered, so this one must not be, either */
            rseq_unregister(area);
            return 0;
        }
        if (error == -EBUSY) {
            return length;
        }
    }
    return 0;
}

static inline bool rseq_is_registered(void *area)
{
    return rseq_registered_length(area) != 0;
}

/* The length that glibc 2.41 and newer register: more than 32 bytes from Linux 7.0 on. */
static inline unsigned rseq_newer_length(void)
{
    unsigned long bytes = getauxval(RSEQ_AT_FEATURE_SIZE);
    return bytes > TCLK_RSEQ_AREA_BYTES ? (unsigned)bytes : TCLK_RSEQ_AREA_BYTES;
}

static inline bool rseq_libc_registers(void)
{
    const unsigned *size = dlsym(RTLD_DEFAULT, "__rseq_size");
    return size != NULL && *size != 0;
}

static inline bool rseq_is_cleared_in_calls(void)
{
    struct tclk_release release;
    return tclk_release_running(&release) && !tclk_release_is_at_least(release, 6, 19);
}

/* A static program cannot find libc's area, but libc may have registered one all the same. */
static inline bool rseq_is_taken(void)
{
    static _Thread_local struct tclk_rseq_area probe __attribute__((aligned(32)));
    int error = rseq_register(&probe, sizeof probe, TCLK_RSEQ_SIGNATURE);
    if (error == 0) {
        rseq_unregister(&probe);
    }
    return error == -EINVAL || error == -EPERM || error == -EBUSY;
}

#define RSEQ_OFF_TUNABLE "glibc.pthread.rseq=0"

/* Restarts this program with libc's registration switched off, because only start-up code reads the tunable. False
 * if it is on all the same. */
static inline bool rseq_starts_without_libcs(void)
{
    if (!rseq_libc_registers() && !rseq_is_taken()) {
        return true;
    }
    if (getenv("GLIBC_TUNABLES") == NULL) {
        setenv("GLIBC_TUNABLES", RSEQ_OFF_TUNABLE, 1);
        execl("/proc/self/exe", "/proc/self/exe", NULL);
    }
    return false;
}

#endif
