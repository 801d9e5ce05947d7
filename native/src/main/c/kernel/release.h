/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_RELEASE_H
#define TCLK_KERNEL_RELEASE_H

#include <stdbool.h>

/*
 * The version of a kernel. The library asks for it only because of known changes of rseq (clock/proof.c); it finds out
 * anything else by trying it.
 */
struct tclk_release {
    int major;
    int minor;
};

/* Parses "6.18.44-cloud" to 6 and 18. Returns false, and leaves *release alone, if the text has another form. */
bool tclk_release_parse(const char *text, struct tclk_release *release);

/* Reads the version of the running kernel (uname(2)). Async-signal-safe. */
bool tclk_release_running(struct tclk_release *release);

static inline bool tclk_release_is_at_least(struct tclk_release r, int major, int minor)
{
    return r.major != major ? r.major > major : r.minor >= minor;
}

#endif
