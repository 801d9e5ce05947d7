/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/objects.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

struct named {
    const char *name;
    char *path;
};

static int note_path(struct dl_phdr_info *object, size_t size, void *context)
{
    struct named *wanted = context;
    const char *path = object->dlpi_name == NULL ? "" : object->dlpi_name; /* the program itself has none */
    const char *slash = strrchr(path, '/');
    (void)size;
    if (strcmp(slash == NULL ? path : slash + 1, wanted->name) == 0) {
        wanted->path = strdup(path);
    }
    return wanted->path != NULL;
}

/* RTLD_NOLOAD returns a handle of a library that is loaded already. */
void *tclk_objects_named(const char *name)
{
    struct named wanted = {name, NULL};
    dl_iterate_phdr(note_path, &wanted);
    void *handle = wanted.path == NULL ? NULL : dlopen(wanted.path, RTLD_LAZY | RTLD_NOLOAD);
    free(wanted.path);
    return handle;
}
