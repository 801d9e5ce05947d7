/* SPDX-License-Identifier: Apache-2.0 */

/* Reads one byte too far, behind a word that no one guesses in one go: a fuzzer that finds it is guided by
 * coverage, and under AddressSanitizer. */

#include "law.h"

static uint8_t sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char word[] = "tick";
    size_t i = 0;
    while (i < size && i < sizeof word - 1 && data[i] == (uint8_t)word[i]) {
        i++;
    }
    if (i == sizeof word - 1) {
        sink = data[size];
    }
    return sink == 1 ? -1 : 0;
}
