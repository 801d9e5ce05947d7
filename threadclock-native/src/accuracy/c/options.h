/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_OPTIONS_H
#define ACCURACY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* A fault put in on purpose: what comes out must show it. */
enum plant {
    PLANT_NOTHING,
    PLANT_TRUTH, /* the truth has user and system time exchanged */
    PLANT_READER /* the readers have */
};

struct options {
    bool is_quick;
    uint64_t workloads; /* bits, in the order of workloads[] */
    unsigned readers;   /* READER_BIT() */
    bool periods;       /* compare the periods of `sampled` */
    bool waits;         /* judge run-queue delay (waiting.h) */
    enum plant plant;
};

/* Returns -1 to go on, or the program's exit status after it has said what it had to say. */
int options_parse(int argc, char **argv, struct options *options);

#endif
