/* SPDX-License-Identifier: Apache-2.0 */

/* Writes one byte after a block of the heap: AddressSanitizer must end it. */

#include <stdlib.h>

int main(int count, char **arguments)
{
    (void)arguments;
    /* UndefinedBehaviorSanitizer does not know its size */
    volatile char *volatile block = malloc(16);
    block[15 + count] = 1;
    free((void *)block);
    return 0;
}
