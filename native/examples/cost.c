/* SPDX-License-Identifier: Apache-2.0 */

/* Prints the cost of a piece of work:  cc cost.c $(pkg-config --cflags --libs threadclock) -lm */

#include <math.h>
#include <stdio.h>
#include <threadclock.h>

static double sum_of_roots(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += sqrt(i);
    }
    return sum;
}

int main(void)
{
    struct tclk_times before;
    struct tclk_times after;
    if (tclk_thread_read(&before) != 0) {
        return 1;
    }
    double sum = sum_of_roots(10000000);
    tclk_thread_read(&after);
    printf("sum %.0f: user %.3f ms, system %.3f ms, CPU %.3f ms, by %s\n", sum,
           (double)(after.user_ns - before.user_ns) / 1e6, (double)(after.system_ns - before.system_ns) / 1e6,
           (double)(after.cpu_ns - before.cpu_ns) / 1e6, tclk_source_name(tclk_clock_source()));
    return 0;
}
