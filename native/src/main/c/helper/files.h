/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_HELPER_FILES_H
#define TCLK_HELPER_FILES_H

#include "target.h"

/* Files in the JVM's own place. Each is a request, and has a reply, or one for each file. */

/* Whether a file is of this kind, and the user's own, or root's; else the reply says what it is. */
bool is_users(const struct target *target, int held, unsigned kind, bool or_roots);

/* By the paths and names that are left of the request. */
void tell_facts(const struct target *target);

void find(int folder, const char *name, const char *device, const char *inode);

void sweep(const struct target *target, int folder, const char *prefix);

#endif
