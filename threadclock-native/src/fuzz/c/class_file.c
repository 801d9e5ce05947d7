/* SPDX-License-Identifier: Apache-2.0 */

/* The class file that the JVM hands over, as other agents have left it. */

#include "jvm/constructor_patch.h"

#include "law.h"

#include <string.h>

#define UNTOUCHED SIZE_MAX

/* The field is still set at one place, so that a patched file may be patched again. */
static void patch_again(const uint8_t *once, size_t size)
{
    size_t twice_size = UNTOUCHED;
    uint8_t *twice = malloc(size + TCLK_CONSTRUCTOR_PATCH_BYTES);
    const char *refusal = tclk_constructor_patch(once, size, twice, &twice_size);
    law(refusal == NULL || strstr(refusal, "too ") != NULL,
        "a patched file is as well known as before, but for its length");
    free(twice);
}

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
        patch_again(patched, patched_size);
    }
    free(patched);
    return 0;
}
