/* SPDX-License-Identifier: Apache-2.0 */

/* The class file that the JVM hands over, as other agents have left it. */

#include "jvm/constructor_patch.h"

#include "law.h"

#include <stdlib.h>
#include <string.h>

#define UNTOUCHED SIZE_MAX

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t patched_size = UNTOUCHED;
    uint8_t *patched = malloc(size + TCLK_CONSTRUCTOR_PATCH_BYTES);
    const char *refusal = tclk_constructor_patch(data, size, patched, &patched_size);
    if (refusal != NULL) {
        law(patched_size == UNTOUCHED, "a refusal leaves the result untouched");
    } else {
        law(patched_size > size && patched_size <= size + TCLK_CONSTRUCTOR_PATCH_BYTES,
            "a patched file is longer by what is inserted");
        law(memcmp(data, patched, 8) == 0, "its first bytes are the file's");
    }
    free(patched);
    return 0;
}
