/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_FUZZ_LAW_H
#define TCLK_FUZZ_LAW_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A law for every input. libFuzzer takes abort() for a crash, and keeps its input. */
#define law(condition, sentence)                                                                                       \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "broken: %s\n", sentence);                                                                 \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
