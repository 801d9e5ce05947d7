/* SPDX-License-Identifier: Apache-2.0 */

/* Prints the rate of this machine's counter in kHz. An emulator's guest has the same counter, but would measure it
 * against timers that are late if the host is busy. */

#include "clock/counter.h"

#include <stdio.h>
#include <time.h>

#define S 1e9
#define DURATION_NS 100000000
#define TRIES 32

struct moment {
    uint64_t counter;
    double ns;
    uint64_t doubt; /* possible error in counts */
};

/* Reads both clocks several times, and returns the reading that took least. */
static struct moment moment_now(void)
{
    struct moment best = {.doubt = UINT64_MAX};
    for (int i = 0; i < TRIES; i++) {
        struct timespec t;
        uint64_t before = tclk_counter_read();
        clock_gettime(CLOCK_MONOTONIC_RAW, &t);
        uint64_t took = tclk_counter_read() - before;
        if (took < best.doubt) {
            best = (struct moment){before + took / 2, (double)t.tv_sec * S + (double)t.tv_nsec, took};
        }
    }
    return best;
}

int main(void)
{
    struct timespec duration = {.tv_nsec = DURATION_NS};
    struct moment from = moment_now();
    nanosleep(&duration, NULL);
    struct moment to = moment_now();
    printf("%.0f\n", (double)(to.counter - from.counter) / (to.ns - from.ns) * 1e6);
    return 0;
}
