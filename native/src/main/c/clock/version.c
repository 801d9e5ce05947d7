/* SPDX-License-Identifier: Apache-2.0 */
#include "include/threadclock.h"

const char *tclk_version(void)
{
    return TCLK_VERSION; /* from the Makefile */
}
