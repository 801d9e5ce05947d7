/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_HELPER_RELAY_H
#define TCLK_HELPER_RELAY_H

#include <stdbool.h>

/*
 * Gives on what the command and the JVM say to one another, and reads none of it: the view's, either way, as it is; and
 * the JVM's answer to what it was asked, in frames. Neither waits for the other, nor for a side that does not read.
 */

/* Between the command's connection for a view and the JVM's, which are closed at its end. */
void relay_view(int of_command, int of_jvm);
bool is_viewed(void);

/* The answer goes to the command as the content of the reply that has begun; the connection is closed at its end. */
void relay_answer(int of_jvm);
/* Gives up what is left of it. */
void drop_answer(void);

/* What is left for this long, or until the command asks for something or a view ends; true if the command does. */
bool relay(int most_ms);

#endif
