/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_HELPER_MAKER_H
#define TCLK_HELPER_MAKER_H

#include "target.h"

/*
 * The part of the helper that makes copies of the library: as the command's own user and not the target's, who could
 * change them for a JVM of another user. It serves the command alone, by a connection that the other part has not, and
 * until that is closed.
 *
 *     copy SECONDS FOLDER NAME BYTES    a file that all may run, unless there is one; so many bytes follow, and a
 * second reply
 *
 * @param its with the ids of the maker where the file system, as one of a user namespace, has no number for ours
 */
_Noreturn void make_copies(struct target *its);

#endif
