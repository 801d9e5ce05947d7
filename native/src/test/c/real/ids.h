/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_IDS_H
#define TCLK_TEST_IDS_H

/* Decides where a test may change an id, and where the kernel must treat it well. */

#include "kernel/release.h"
#include "kernel/rseq_area.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static inline bool ids_file_has(const char *path, const char *part)
{
    char text[4096] = "";
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    return strstr(text, part) != NULL;
}

/* As far as this can be known, because only root can read the kernel's own switch. */
static inline bool ids_are_debugged(void)
{
    return ids_file_has("/proc/cmdline", "rseq_debug=1") || ids_file_has("/sys/kernel/debug/rseq/debug", "1");
}

static inline bool ids_kernel_is_at_least(int major, int minor)
{
    struct tclk_release release;
    return tclk_release_running(&release) && tclk_release_is_at_least(release, major, minor);
}

/* NULL if the kernel allows changed ids here. */
static inline const char *ids_missing(void)
{
    return !ids_kernel_is_at_least(6, 19) ? "Linux 6.19: older ones have the source rseq"
           : ids_are_debugged()           ? "a kernel without rseq debugging"
                                          : NULL;
}

/* Versions of the form 7.0.x say too little, because distributions give them to kernels of both kinds. */
static inline bool ids_must_serve(void)
{
    return ids_kernel_is_at_least(7, 1) && ids_missing() == NULL;
}

#endif
