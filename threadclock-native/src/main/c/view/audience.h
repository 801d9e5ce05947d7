/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_VIEW_AUDIENCE_H
#define TCLK_VIEW_AUDIENCE_H

#include "view/client.h"
#include "view/door.h"
#include "view/survey.h"

#include <stdbool.h>
#include <sys/types.h>

/* All who look, and what they look at. One thread's alone, once it is open. */
#define TCLK_VIEW_CLIENTS 8

struct tclk_audience {
    struct tclk_door door;
    struct tclk_client clients[TCLK_VIEW_CLIENTS];
    struct tclk_survey survey;
    int64_t shut_ns; /* until which nobody is let in */
};

/* Returns 0, or as tclk_survey_open() or tclk_door_open(), with nothing left behind. */
int tclk_audience_open(struct tclk_audience *audience, pid_t pid, tclk_java_ids java_ids);

void tclk_audience_close(struct tclk_audience *audience);

/* In the child of a fork, whose copies of the descriptors are of no use. */
void tclk_audience_close_inherited(const struct tclk_audience *audience);

bool tclk_audience_is_there(const struct tclk_audience *audience);

/* Waits until somebody wants something, `bell` can be read, or CLOCK_MONOTONIC is at `until_ns`, and does
 * what is wanted. True: somebody has come in. */
bool tclk_audience_serve(struct tclk_audience *audience, int bell, int64_t until_ns);

#endif
