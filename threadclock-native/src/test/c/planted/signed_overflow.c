/* SPDX-License-Identifier: Apache-2.0 */

/* Adds beyond INT_MAX: UndefinedBehaviorSanitizer must end it. */

#include <limits.h>

int main(int count, char **arguments)
{
    (void)arguments;
    volatile int most = INT_MAX;
    volatile int sum = most + count;
    (void)sum;
    return 0;
}
