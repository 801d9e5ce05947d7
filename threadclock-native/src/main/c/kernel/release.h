/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_RELEASE_H
#define TCLK_KERNEL_RELEASE_H

#include <stdbool.h>

/*
 * The kernel's version is asked for known changes of rseq only (clock/proof.c): what else the kernel
 * can do is found out by trying it.
 */
struct tclk_release {
    int major;
    int minor;
};

/* "6.18.44-cloud" -> 6, 18. Returns false, and leaves *release alone, if it is not of that form. */
bool tclk_release_parse(const char *text, struct tclk_release *release);

/* The running kernel's (uname(2)). Async-signal-safe. */
bool tclk_release_running(struct tclk_release *release);

static inline bool tclk_release_is_at_least(struct tclk_release r, int major, int minor)
{
    return r.major != major ? r.major > major : r.minor >= minor;
}

#endif
