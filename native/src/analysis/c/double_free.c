/* SPDX-License-Identifier: Apache-2.0 */

/* Frees a block twice on one of two ways: gcc's analyzer has to find it. */

#include <stdlib.h>

void drop(void *block, int twice);

void drop(void *block, int twice)
{
    free(block);
    if (twice) {
        free(block);
    }
}
