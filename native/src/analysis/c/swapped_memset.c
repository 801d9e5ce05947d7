/* SPDX-License-Identifier: Apache-2.0 */

/* Sets no byte: clang-tidy has to see that length and byte are swapped. */

#include <string.h>

void clear(char *text, size_t size);

void clear(char *text, size_t size)
{
    memset(text, (int)size, 0);
}
