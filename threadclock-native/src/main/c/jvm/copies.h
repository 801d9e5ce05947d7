/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_COPIES_H
#define TCLK_JVM_COPIES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Two copies of the library in one JVM (two paths, or two versions) would each take the natives from
 * the other. Each copy exports tclk_agent_version(), by which a later one finds it.
 */

/* Whether this copy's agent is in use; tclk_agent_version() tells others. */
void tclk_agent_set_active(bool active);

/* True if another loaded copy has an agent in use; its file's path is put into `path`. */
bool tclk_agent_other_copy(char *path, size_t size);

#endif
