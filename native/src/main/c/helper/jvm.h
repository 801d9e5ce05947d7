/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_HELPER_JVM_H
#define TCLK_HELPER_JVM_H

#include "target.h"

/* What is said to the JVM, by its sockets in a folder that is held. Each is a request, and has a reply. */

/* Returns when the JVM listens, the time is up, or the command asks for something else. */
void make_listen(const struct target *target, int most_s, int folder, const char *name, const char *trigger);

/* Says the rest of the request to the JVM. */
void ask(const struct target *target, int most_s, int folder, const char *name);

/* There is one view in all. */
void begin_view(const struct target *target, int most_s, int of_command, int folder, const char *name);
bool is_viewing(void);

/* Removes the JVM's socket if that has been killed, and then hangs up on the command. */
void end_view(const struct target *target, int of_command);

#endif
