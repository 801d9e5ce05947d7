/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_COUNTED_EXIT_H
#define TCLK_COUNTED_EXIT_H

/* For the coverage builds, which include this before all else: _exit() writes the counts as exit() does. */

#include <unistd.h>

void __gcov_dump(void);

#define _exit(status) (__gcov_dump(), _exit(status))

#endif
