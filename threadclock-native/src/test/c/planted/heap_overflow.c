/* SPDX-License-Identifier: Apache-2.0 */

/* Writes one byte behind a block of the heap: AddressSanitizer has to end it. */

#include <stdlib.h>

int main(int count, char **arguments)
{
    (void)arguments;
    volatile char *volatile block = malloc(16); /* whose size UndefinedBehaviorSanitizer does not know */
    block[15 + count] = 1;
    free((void *)block);
    return 0;
}
